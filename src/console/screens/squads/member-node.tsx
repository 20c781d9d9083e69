import { Badge, Paper, Text } from '@mantine/core'
import { Handle, type NodeProps, Position } from '@xyflow/react'
import type { MemberNode } from './drawing.ts'

/** A box of the drawing: an assistant, from which hand-offs begin on the right. */
export function MemberBox({ data, selected }: NodeProps<MemberNode>) {
  return (
    <Paper withBorder shadow={selected ? 'md' : 'xs'} p="sm" w={200} className={data.problem ? 'node problem' : 'node'}>
      <Handle type="target" position={Position.Left} />
      <Text fw={600} size="sm" truncate>
        {data.name}
      </Text>
      {data.first && (
        <Badge color="teal" size="sm">
          answers first
        </Badge>
      )}
      {data.problem && (
        <Text size="xs" c="red">
          {data.problem}
        </Text>
      )}
      <Handle type="source" position={Position.Right} />
    </Paper>
  )
}
