import { Alert, Button, Card, Group, Stack, Text, TextInput, useComputedColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  addEdge,
  Background,
  Controls,
  ReactFlow,
  type ReactFlowInstance,
  useEdgesState,
  useNodesState,
} from '@xyflow/react'
import { useState } from 'react'
import { api, client, queryClient } from '../../api/client.ts'
import { fieldErrors, messageOf } from '../../api/failure.ts'
import { assistantSearch } from '../../parts/assistant-search.ts'
import { same } from '../../parts/changes.ts'
import { tellDone } from '../../parts/saved.ts'
import { SearchSelect } from '../../parts/search-select.tsx'
import { useUnsaved } from '../../parts/unsaved.ts'
import { mayRead, useAccess, useMayWrite } from '../../session/access.tsx'
import { ChosenMember, HandOffFields } from './chosen.tsx'
import {
  type Drawing,
  drawingOf,
  edgeOf,
  freePlace,
  type HandOff,
  inOrder,
  type Member,
  type MemberNode,
  memberNames,
  membersOf,
  type Named,
  type Squad,
} from './drawing.ts'
import { MemberBox } from './member-node.tsx'
import { UndrawnHandOffs } from './undrawn.tsx'

const nodeTypes = { member: MemberBox }

/** All boxes in sight, none larger than it is. */
const view = { maxZoom: 1, padding: 0.2 }

/** A drawing as one text, by ids. */
const printOf = (drawing: Drawing) => JSON.stringify(membersOf(drawing, ({ assistantId }) => assistantId))

interface CanvasProps {
  squad: Squad
  /** The assistants that its members are. */
  known: readonly Named[]
  /** Whether all members that are assistants of the account are among them. */
  isKnown: boolean
}

/**
 * The drawing, its changes, the squad's name and the button that publishes them. Where others change the squad it is
 * drawn anew; what was drawn meanwhile is neither taken away nor published over their changes.
 */
export function Canvas({ squad, known, isKnown }: CanvasProps) {
  const mayWrite = useMayWrite('squads')
  const mayLook = mayRead(useAccess(), 'assistants')
  const navigate = useNavigate()
  const scheme = useComputedColorScheme('light')
  const [start] = useState(() => drawingOf(squad.members, known))
  const [nodes, setNodes, onNodesChange] = useNodesState<MemberNode>(start.nodes)
  const [edges, setEdges, onEdgesChange] = useEdgesState<HandOff>(start.edges)
  const [flow, setFlow] = useState<ReactFlowInstance<MemberNode, HandOff>>()
  const [undrawn, setUndrawn] = useState(start.undrawn)
  /** The members that the drawing was made of, and how it was then. */
  const [base, setBase] = useState({ members: squad.members, print: printOf(start) })
  /** Undefined while the squad is not renamed. */
  const [typedName, setTypedName] = useState<string>()
  /** Those that were added since, of whom the members say no names. */
  const [added, setAdded] = useState<readonly Named[]>([])
  const drawing = { nodes, edges, undrawn }
  const print = printOf(drawing)
  useUnsaved(mayWrite && (print !== base.print || typedName !== undefined))
  const chosen = edges.find(({ selected }) => selected)
  const chosenNode = nodes.find(({ selected }) => selected)
  const nameOf = memberNames([...known, ...added])
  const { external_squad_id: id } = squad
  const publish = useMutation({
    async mutationFn({ members, name }: { members: Member[]; name: string | undefined; print: string }) {
      const now = await queryClient.fetchQuery({ ...api.squads.get.queryOptions({ id }), staleTime: 0 })
      return same(now.data.members, base.members)
        ? client.squads.publish.mutate({ id, name: name ?? now.data.name, members })
        : undefined
    },
    onSuccess(published, sent) {
      if (!published) return
      const { data } = published
      tellDone('The squad is published.')
      setBase({ members: data.members, print: sent.print })
      setTypedName((typed) => (typed === sent.name ? undefined : typed))
      queryClient.setQueryData(api.squads.get.queryKey({ id: data.external_squad_id }), published)
      queryClient.invalidateQueries(api.squads.list.pathFilter())
      setNodes((all) => all.map((node) => ({ ...node, data: { ...node.data, problem: undefined } })))
      const params = { squadId: data.external_squad_id }
      navigate({ to: '/squads/$squadId', params, replace: true, ignoreBlocker: true })
    },
    onError(error) {
      const sent = inOrder(nodes)
      const problems = new Map(
        Object.entries(fieldErrors(error)).map(([path, text]) => [sent[Number(path.split('.')[1])]?.id, text]),
      )
      setNodes((all) => all.map((node) => ({ ...node, data: { ...node.data, problem: problems.get(node.id) } })))
    },
  })
  const redraw = () => {
    const next = drawingOf(squad.members, known)
    setNodes(next.nodes)
    setEdges(next.edges)
    setUndrawn(next.undrawn)
    setBase({ members: squad.members, print: printOf(next) })
  }
  const isOutdated = isKnown && !publish.isPending && !same(squad.members, base.members)
  if (isOutdated && print === base.print) redraw()
  const add = (assistantId: string, name: string) => {
    const data = { member: { assistantId }, name, first: nodes.length === 0 }
    setNodes([...nodes, { id: assistantId, type: 'member', position: freePlace(nodes), data }])
    setAdded([...added, { assistantId, name }])
    flow?.fitView(view)
  }
  const connect = (source: string, target: string) => {
    if (source !== target) setEdges(addEdge(edgeOf(source, target, { assistantName: '' }), edges))
  }
  const takeOut = (gone: readonly MemberNode[]) => {
    const ids = new Set(gone.map(({ id }) => id))
    setNodes((all) => {
      const [next, ...rest] = inOrder(all.filter(({ id }) => !ids.has(id)))
      return next ? [{ ...next, data: { ...next.data, first: true } }, ...rest] : []
    })
    setEdges((all) => all.filter(({ source, target }) => !ids.has(source) && !ids.has(target)))
    setUndrawn((all) => all.filter(({ source }) => !ids.has(source)))
  }
  const describe = (edgeId: string, description: string) =>
    setEdges(
      edges.map((edge) =>
        edge.id === edgeId && edge.data
          ? {
              ...edge,
              label: description || undefined,
              data: { destination: { ...edge.data.destination, description } },
            }
          : edge,
      ),
    )
  const fields = {
    nodes,
    onDescribe: describe,
    onRemove: (edgeId: string) => setEdges(edges.filter((edge) => edge.id !== edgeId)),
  }
  return (
    <Stack>
      {mayWrite && (
        <Group align="flex-end">
          <TextInput
            label="Name"
            value={typedName ?? squad.name}
            onChange={({ currentTarget: { value } }) => setTypedName(value === squad.name ? undefined : value)}
            error={fieldErrors(publish.error).name}
            maxLength={100}
            w={240}
          />
          {mayLook && (
            <SearchSelect
              label="Add an assistant"
              placeholder="Choose one"
              {...assistantSearch}
              without={(assistantId) => nodes.some(({ data }) => data.member.assistantId === assistantId)}
              value={null}
              onChange={add}
              w={280}
            />
          )}
          <Button
            ms="auto"
            loading={publish.isPending}
            disabled={nodes.length === 0 || isOutdated}
            onClick={() => publish.mutate({ members: membersOf(drawing, nameOf), name: typedName, print })}
          >
            {squad.status === 'draft' ? 'Publish' : 'Publish changes'}
          </Button>
        </Group>
      )}
      {publish.error && <Alert color="red">{messageOf(publish.error)}</Alert>}
      {isOutdated && (
        <Alert color="yellow" title="This squad was changed meanwhile">
          <Text size="sm">What you drew stays here, and cannot be published over that.</Text>
          <Button size="xs" variant="default" mt="sm" onClick={redraw}>
            Draw it as it is now
          </Button>
        </Alert>
      )}
      <UndrawnHandOffs
        nodes={nodes}
        undrawn={undrawn}
        onRemove={(one) => setUndrawn(undrawn.filter((other) => other !== one))}
      />
      <Card padding={0} h={460}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          onNodesChange={onNodesChange}
          onNodesDelete={takeOut}
          onEdgesChange={onEdgesChange}
          onConnect={({ source, target }) => connect(source, target)}
          nodesDraggable={mayWrite}
          nodesConnectable={mayWrite}
          colorMode={scheme}
          deleteKeyCode={mayWrite ? ['Backspace', 'Delete'] : null}
          fitView
          fitViewOptions={view}
          minZoom={0.25}
          onInit={setFlow}
          proOptions={{ hideAttribution: true }}
        >
          <Background gap={20} />
          <Controls showInteractive={false} />
        </ReactFlow>
      </Card>
      {mayWrite && (
        <Text size="sm" c="dimmed">
          Draw from the right side of one assistant to the left side of another: the first may hand calls over to it. Or
          choose an assistant or an arrow, and say below where calls go and when.
        </Text>
      )}
      {chosen && !chosenNode && mayWrite && <HandOffFields {...fields} handOffs={[chosen]} />}
      {chosenNode && mayWrite && (
        <ChosenMember
          {...fields}
          node={chosenNode}
          edges={edges}
          onHandOver={(target) => connect(chosenNode.id, target)}
          onAnswerFirst={() =>
            setNodes(nodes.map((node) => ({ ...node, data: { ...node.data, first: node.id === chosenNode.id } })))
          }
          onTakeOut={() => takeOut([chosenNode])}
        />
      )}
    </Stack>
  )
}
