import { type Change, isEmpty, type Plan } from './plan.ts'

const signs = { create: '+', update: '~', delete: '-', keep: ' ' } as const
const maxWidth = 100

const shortened = (text: string) => (text.length > maxWidth ? `${text.slice(0, maxWidth - 1)}…` : text)
/** A value on one line, bounded. */
export const shortValue = (value: unknown) => (value === undefined ? '(nothing)' : shortened(JSON.stringify(value)))

const plural = (count: number, word: string) => (count > 0 ? [`${count} to ${word}`] : [])

function linesOf({ action, kind, slug, leaves }: Change): string[] {
  if (action === 'keep') return []
  const first = `${signs[action]} ${kind}/${slug}`
  if (action !== 'update') return [first]
  return [first, ...leaves.map(({ path, from, to }) => `    ${path}: ${shortValue(from)} -> ${shortValue(to)}`)]
}

/** A plan for people: what it changes leaf by leaf, what has no file, and what others changed on the voice platform. */
export function planText(plan: Plan, drift: readonly string[]): string {
  const { changes } = plan
  const count = (action: Change['action']) => changes.filter((one) => one.action === action).length
  const kept = changes.filter(({ action }) => action === 'keep')
  const sums = [
    ...plural(count('create'), 'create'),
    ...plural(count('update'), 'change'),
    ...plural(count('delete'), 'delete'),
  ]
  return [
    ...changes.flatMap(linesOf),
    isEmpty(plan) ? 'Nothing to change.' : `${sums.join(', ')}.`,
    ...(kept.length > 0 ? ['', 'Without a file here (apply --delete deletes what can be deleted):'] : []),
    ...kept.map(({ kind, slug }) => `    ${kind}/${slug}`),
    ...(drift.length > 0 ? ['', 'Changed on the voice platform, by others:'] : []),
    ...drift.map((line) => `    ${line}`),
  ].join('\n')
}
