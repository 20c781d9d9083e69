import { type Access, isInScopes } from '../../../session/access.tsx'

type Scope = NonNullable<Access['scopes']>[number]
type AreaOf<S> = S extends `${infer Name}:${string}` ? Name : never
type Area = AreaOf<Scope>

const areas: Record<Area, string> = {
  assistants: 'Assistants',
  phone_numbers: 'Numbers',
  squads: 'Squads',
  ai_chat: 'Agents',
  account: 'Account',
  admin: 'Administration',
}
const levels = { read: 'read', write: 'read and change' } as const
type Level = keyof typeof levels

interface Choice {
  value: Scope
  label: string
  /** '' is all of them. */
  area: Area | ''
  level: Level
}

const choicesOf = (area: Area | '', label: string): Choice[] =>
  (Object.keys(levels) as Level[]).map((level) => ({
    value: area === '' ? level : `${area}:${level}`,
    label: `${label}: ${levels[level]}`,
    area,
    level,
  }))

const all = [
  ...choicesOf('', 'Everything'),
  ...(Object.keys(areas) as Area[]).flatMap((area) => choicesOf(area, areas[area])),
]

/** The scopes that a caller's token may give to another one, for people. */
export const scopesToGive = (access: Access) =>
  all
    .filter(({ area, level }) => isInScopes(access, area, level) && (area !== 'admin' || access.role === 'admin'))
    .map(({ value, label }) => ({ value, label }))

/** What scopes let a token do, in a line. */
export const sayScopes = (scopes: Access['scopes']): string =>
  scopes === null
    ? 'Whatever you may'
    : all
        .filter(({ value }) => scopes.includes(value))
        .map(({ label }) => label)
        .join(', ')
