import { Button, Card, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { HandOff, MemberNode } from './drawing.ts'

interface HandOffFieldsProps {
  nodes: readonly MemberNode[]
  handOffs: readonly HandOff[]
  onDescribe: (id: string, description: string) => void
  onRemove: (id: string) => void
}

const nameIn = (nodes: readonly MemberNode[], id: string) => nodes.find((node) => node.id === id)?.data.name ?? ''

/** When calls are handed over, arrow by arrow, and a button that takes the arrow away. */
export function HandOffFields({ nodes, handOffs, onDescribe, onRemove }: HandOffFieldsProps) {
  return handOffs.map(({ id, source, target, data }) => {
    const [from, to] = [nameIn(nodes, source), nameIn(nodes, target)]
    return (
      <Group key={id} align="flex-end" gap="sm">
        <TextInput
          label={`When does ${from} hand the call over to ${to}?`}
          placeholder="When the caller asks about an invoice"
          value={data?.destination.description ?? ''}
          onChange={(event) => onDescribe(id, event.currentTarget.value)}
          flex={1}
          miw={220}
        />
        <Button variant="default" aria-label={`Take away the arrow from ${from} to ${to}`} onClick={() => onRemove(id)}>
          Take away
        </Button>
      </Group>
    )
  })
}

interface ChosenMemberProps extends Omit<HandOffFieldsProps, 'handOffs'> {
  node: MemberNode
  edges: readonly HandOff[]
  onHandOver: (target: string) => void
  onAnswerFirst: () => void
  onTakeOut: () => void
}

/**
 * What can be done with the chosen member, also without drawing: arrows to others, who answers first, and taking it
 * out.
 */
export function ChosenMember({ node, edges, onHandOver, onAnswerFirst, onTakeOut, ...fields }: ChosenMemberProps) {
  const { nodes } = fields
  const { name, first } = node.data
  const handOffs = edges.filter(({ source }) => source === node.id)
  const others = nodes.filter(({ id }) => id !== node.id && !handOffs.some(({ target }) => target === id))
  return (
    <Card>
      <Stack>
        <Text fw={600}>{name}</Text>
        <HandOffFields {...fields} handOffs={handOffs} />
        <Select
          label={`${name} may hand calls over to`}
          placeholder={others.length > 0 ? 'Choose a member' : 'It may to all others'}
          data={others.map(({ id, data }) => ({ value: id, label: data.name }))}
          value={null}
          onChange={(target) => target && onHandOver(target)}
          disabled={others.length === 0}
          maw={420}
        />
        <Group gap="sm">
          {!first && (
            <Button variant="default" onClick={onAnswerFirst}>
              Let {name} answer first
            </Button>
          )}
          <Button variant="default" onClick={onTakeOut}>
            Take {name} out
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}
