import type { Edge, Node } from '@xyflow/react'
import type { client } from '../../api/client.ts'

export type Squad = Awaited<ReturnType<typeof client.squads.get.query>>['data']
export type Member = Squad['members'][number]

/** An assistant in the drawing. */
export type MemberNode = Node<{ name: string; first: boolean; problem?: string }, 'member'>
/** A hand-off, with what is kept of it besides its ends. */
export type HandOff = Edge<{ description?: string | null }>

const column = 260

/** The squad as boxes and arrows; a member without a position gets one beside the others. */
export function drawingOf(squad: Squad, nameOf: (assistantId: string) => string) {
  const idOf = new Map(squad.members.map(({ assistantId }) => [nameOf(assistantId), assistantId]))
  const nodes: MemberNode[] = squad.members.map(({ assistantId, position }, index) => ({
    id: assistantId,
    type: 'member',
    position: { x: position?.x ?? 40 + index * column, y: position?.y ?? 60 + (index % 2) * 140 },
    data: { name: nameOf(assistantId), first: index === 0 },
  }))
  const edges: HandOff[] = squad.members.flatMap(({ assistantId, assistantDestinations }) =>
    (assistantDestinations ?? []).flatMap(({ assistantName, description }) => {
      const target = idOf.get(assistantName)
      return target ? [edgeOf(assistantId, target, description)] : []
    }),
  )
  return { nodes, edges }
}

/** The arrow of a hand-off. */
export const edgeOf = (source: string, target: string, description?: string | null): HandOff => ({
  id: `${source} ${target}`,
  source,
  target,
  label: description || undefined,
  data: { description },
})

/** The members that a drawing means: those of before with their other settings, the first one first. */
export function membersOf(
  nodes: readonly MemberNode[],
  edges: readonly HandOff[],
  before: readonly Member[],
): Member[] {
  const nameOf = new Map(nodes.map(({ id, data }) => [id, data.name]))
  const ordered = [...nodes].sort((a, b) => Number(b.data.first) - Number(a.data.first))
  return ordered.map(({ id, position }) => {
    const known = before.find(({ assistantId }) => assistantId === id)
    return {
      ...known,
      assistantId: id,
      position: { x: Math.round(position.x), y: Math.round(position.y) },
      assistantDestinations: edges
        .filter(({ source }) => source === id)
        .map(({ target, data }) => {
          const assistantName = nameOf.get(target) ?? ''
          const old = known?.assistantDestinations?.find((destination) => destination.assistantName === assistantName)
          return {
            ...old,
            type: 'assistant' as const,
            assistantName,
            description: data?.description ?? old?.description,
          }
        }),
    }
  })
}
