import {
  Alert,
  Button,
  Card,
  Group,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
  useComputedColorScheme,
} from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { addEdge, Background, Controls, ReactFlow, useEdgesState, useNodesState } from '@xyflow/react'
import { useState } from 'react'
import { api, queryClient } from '../../api/client.ts'
import { fieldErrors, messageOf } from '../../api/failure.ts'
import { tellDone } from '../../parts/saved.ts'
import { useMayWrite } from '../../session/access.tsx'
import { drawingOf, edgeOf, type HandOff, type MemberNode, membersOf, type Squad } from './drawing.ts'
import { MemberBox } from './member-node.tsx'

const nodeTypes = { member: MemberBox }

/** The squad as a drawing, once the names of its assistants are known. */
export default function Graph({ squad }: { squad: Squad }) {
  const { data } = useQuery(api.assistants.list.queryOptions({ per_page: 100, lite: true }))
  if (!data) return <Skeleton h={420} />
  const names = new Map(data.data.map(({ assistant_id, name }) => [assistant_id, name]))
  return <Drawing squad={squad} names={names} />
}

function Drawing({ squad, names }: { squad: Squad; names: ReadonlyMap<string, string> }) {
  const mayWrite = useMayWrite('squads')
  const navigate = useNavigate()
  const scheme = useComputedColorScheme('light')
  const [start] = useState(() => drawingOf(squad, (id) => names.get(id) ?? id))
  const [nodes, setNodes, onNodesChange] = useNodesState<MemberNode>(start.nodes)
  const [edges, setEdges, onEdgesChange] = useEdgesState<HandOff>(start.edges)
  const chosen = edges.find(({ selected }) => selected)
  const chosenNode = nodes.find(({ selected }) => selected)
  const publish = useMutation(
    api.squads.publish.mutationOptions({
      onSuccess({ data }) {
        tellDone('The squad is published.')
        queryClient.invalidateQueries(api.squads.pathFilter())
        setNodes((all) => all.map((node) => ({ ...node, data: { ...node.data, problem: undefined } })))
        navigate({ to: '/squads/$squadId', params: { squadId: data.external_squad_id }, replace: true })
      },
      onError(error) {
        const members = membersOf(nodes, edges, squad.members)
        const problems = new Map(
          Object.entries(fieldErrors(error)).map(([path, text]) => [
            members[Number(path.split('.')[1])]?.assistantId,
            text,
          ]),
        )
        setNodes((all) => all.map((node) => ({ ...node, data: { ...node.data, problem: problems.get(node.id) } })))
      },
    }),
  )
  const add = (assistantId: string | null) => {
    const name = assistantId && names.get(assistantId)
    if (!assistantId || !name) return
    const place = { x: 40 + nodes.length * 260, y: 60 + (nodes.length % 2) * 140 }
    setNodes([
      ...nodes,
      { id: assistantId, type: 'member', position: place, data: { name, first: nodes.length === 0 } },
    ])
  }
  const describe = (description: string) =>
    setEdges(
      edges.map((edge) =>
        edge.id === chosen?.id ? { ...edge, label: description || undefined, data: { description } } : edge,
      ),
    )
  const others = [...names].filter(([id]) => nodes.every((node) => node.id !== id))
  return (
    <Stack>
      {mayWrite && (
        <Group align="flex-end" justify="space-between">
          <Select
            label="Add an assistant"
            placeholder={others.length > 0 ? 'Choose one' : 'All of them are in it'}
            data={others.map(([value, label]) => ({ value, label }))}
            value={null}
            onChange={add}
            searchable
            w={280}
          />
          <Button
            loading={publish.isPending}
            disabled={nodes.length === 0}
            onClick={() =>
              publish.mutate({
                id: squad.external_squad_id,
                name: squad.name,
                members: membersOf(nodes, edges, squad.members),
              })
            }
          >
            {squad.status === 'draft' ? 'Publish' : 'Publish changes'}
          </Button>
        </Group>
      )}
      {publish.error && <Alert color="red">{messageOf(publish.error)}</Alert>}
      <Card padding={0} h={460}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          onNodesChange={onNodesChange}
          onEdgesChange={onEdgesChange}
          onConnect={({ source, target }) => {
            if (source !== target) setEdges(addEdge(edgeOf(source, target), edges))
          }}
          nodesDraggable={mayWrite}
          nodesConnectable={mayWrite}
          colorMode={scheme}
          deleteKeyCode={mayWrite ? ['Backspace', 'Delete'] : null}
          fitView
          fitViewOptions={{ maxZoom: 1, padding: 0.2 }}
          proOptions={{ hideAttribution: true }}
        >
          <Background gap={20} />
          <Controls showInteractive={false} />
        </ReactFlow>
      </Card>
      {chosen && mayWrite && (
        <TextInput
          label="When is the call handed over?"
          placeholder="When the caller asks about an invoice"
          value={chosen.data?.description ?? ''}
          onChange={(event) => describe(event.currentTarget.value)}
        />
      )}
      {chosenNode && !chosenNode.data.first && mayWrite && (
        <Group>
          <Button
            variant="default"
            onClick={() =>
              setNodes(nodes.map((node) => ({ ...node, data: { ...node.data, first: node.id === chosenNode.id } })))
            }
          >
            Let {chosenNode.data.name} answer first
          </Button>
        </Group>
      )}
      <Text size="sm" c="dimmed">
        Draw from the right side of one assistant to the left side of another: the first may hand calls over to it.
        Choose an arrow to say when, or press Delete to take it away.
      </Text>
    </Stack>
  )
}
