import type { Edge, Node } from '@xyflow/react'
import type { client } from '../../api/client.ts'

export type Squad = Awaited<ReturnType<typeof client.squads.get.query>>['data']
export type Member = Squad['members'][number]
type Destination = NonNullable<Member['assistantDestinations']>[number]

/** A member in the drawing, with all that is kept of it. */
export type MemberNode = Node<{ member: Member; name: string; first: boolean; problem?: string }, 'member'>
/** A hand-off, with all that is kept of it. */
export type HandOff = Edge<{ destination: Destination }>

/** A hand-off that leads to no box of the drawing: it stays as it is. */
export interface Undrawn {
  /** The box that it begins at. */
  source: string
  destination: Destination
}

export interface Drawing {
  nodes: MemberNode[]
  edges: HandOff[]
  undrawn: Undrawn[]
}

/** An assistant by both of its ids. */
export interface Named {
  assistantId: string
  liveId?: string
  name: string
}

/** The name by which a member answers, that of its overrides or its assistant's; undefined where it is not known. */
export const memberNames =
  (known: readonly Named[]) =>
  ({ assistantId, assistantOverrides }: Member): string | undefined => {
    const overridden = assistantOverrides?.name
    if (typeof overridden === 'string' && overridden !== '') return overridden
    return known.find((one) => one.assistantId === assistantId)?.name
  }

const [column, row] = [260, 140]

/** Where a box stands that has no place of its own, by its number. */
const placeAt = (index: number) => ({ x: 40 + index * column, y: 60 + (index % 2) * row })

/** The first such place that covers no other box. */
export function freePlace(nodes: readonly MemberNode[]): { x: number; y: number } {
  const isTaken = ({ x, y }: { x: number; y: number }) =>
    nodes.some(({ position }) => Math.abs(position.x - x) < column && Math.abs(position.y - y) < row)
  let index = 0
  while (isTaken(placeAt(index))) index += 1
  return placeAt(index)
}

/**
 * The squad as boxes and arrows; a member without a position gets one beside the others. A hand-off leads to the member
 * whose id it has, also where that has another name by now, and else to the one whose name it has.
 */
export function drawingOf(members: readonly Member[], known: readonly Named[]): Drawing {
  const nameOf = memberNames(known)
  const nodes = members.map((member, index): MemberNode => {
    const { assistantId, position } = member
    const isRepeated = members.findIndex((one) => one.assistantId === assistantId) < index
    return {
      id: isRepeated ? `${assistantId} ${index}` : assistantId,
      type: 'member',
      position: { x: position?.x ?? placeAt(index).x, y: position?.y ?? placeAt(index).y },
      data: { member, name: nameOf(member) ?? assistantId, first: index === 0 },
    }
  })
  const publicId = (id: string) => known.find(({ liveId }) => liveId === id)?.assistantId ?? id
  const targetOf = ({ assistantId, assistantName }: Destination) =>
    (assistantId && nodes.find(({ data }) => data.member.assistantId === publicId(assistantId))) ||
    nodes.find(({ data }) => data.name === assistantName)
  const handOffs = nodes.flatMap(({ id: source, data }) =>
    (data.member.assistantDestinations ?? []).map((destination, index) => ({
      source,
      destination,
      index,
      target: targetOf(destination),
    })),
  )
  return {
    nodes,
    edges: handOffs.flatMap(({ source, target, destination, index }) =>
      target ? [edgeOf(source, target.id, destination, index)] : [],
    ),
    undrawn: handOffs.flatMap(({ source, target, destination }) => (target ? [] : [{ source, destination }])),
  }
}

/** The arrow of a hand-off; `index` tells several with the same ends apart. */
export const edgeOf = (source: string, target: string, destination: Destination, index = 0): HandOff => ({
  id: `${source} ${target} ${index}`,
  source,
  target,
  label: destination.description || undefined,
  data: { destination },
})

/** The boxes as the members are sent: who answers first is the first one. */
export const inOrder = (nodes: readonly MemberNode[]): MemberNode[] =>
  [...nodes].sort((a, b) => Number(b.data.first) - Number(a.data.first))

/** The members that a drawing means, with their other settings, and the hand-offs that it does not show. */
export function membersOf(
  { nodes, edges, undrawn }: Drawing,
  nameOf: (member: Member) => string | undefined,
): Member[] {
  const memberAt = new Map(nodes.map(({ id, data }) => [id, data.member]))
  return inOrder(nodes).map(({ id, position, data: { member } }) => {
    const drawn = edges.flatMap(({ source, target, data }) => {
      const to = memberAt.get(target)
      if (source !== id || !to) return []
      const assistantName = nameOf(to) ?? data?.destination.assistantName ?? ''
      return [{ ...data?.destination, type: 'assistant' as const, assistantName, assistantId: to.assistantId }]
    })
    const others = undrawn.flatMap(({ source, destination }) => (source === id ? [destination] : []))
    return {
      ...member,
      position: { x: Math.round(position.x), y: Math.round(position.y) },
      assistantDestinations: [...drawn, ...others],
    }
  })
}
