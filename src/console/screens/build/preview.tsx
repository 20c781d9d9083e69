import { Alert, Badge, Card, Group, List, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client, queryClient } from '../../api/client.ts'
import { fieldErrors, messageOf, statusOf } from '../../api/failure.ts'
import { Empty } from '../../parts/empty.tsx'
import { Rows } from '../../parts/rows.tsx'
import type { BuildBody } from './body.ts'

const layers = {
  base_config: { label: 'Base', color: 'gray' },
  industry_template: { label: 'Industry', color: 'teal' },
  layer2_preset: { label: 'Preset', color: 'orange' },
  personality: { label: 'Personality', color: 'grape' },
  prompt_template: { label: 'Prompt template', color: 'cyan' },
  request: { label: 'Your own', color: 'indigo' },
} as const

/** The value at a dotted path of a configuration, as one line. */
function valueAt(config: Record<string, unknown>, path: string): string {
  const found = path.split('.').reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null) return undefined
    return Object.entries(value).find(([name]) => name === key)?.[1]
  }, config)
  return typeof found === 'string' ? found : JSON.stringify(found)
}

const previewOf = (body: BuildBody) => ({
  queryKey: ['preview', body],
  queryFn: () => client.assistantBuilder.preview.mutate(body),
  retry: false,
})

/** Asks what a body would build; nothing is created. */
export const usePreview = (body: BuildBody, ready: boolean) =>
  useQuery({ ...previewOf(body), enabled: ready, placeholderData: keepPreviousData })

/** The placeholders that a body gives no value to, as its texts have them. Throws what the server refuses of it. */
export async function withoutValue(body: BuildBody): Promise<string> {
  const { data } = await queryClient.fetchQuery(previewOf(body))
  return data.unresolved.map(placeholder).join(', ')
}

const placeholder = (name: string) => `{{${name}}}`

interface PreviewProps {
  preview: ReturnType<typeof usePreview>
  ready: boolean
  /** Questions without an answer; their names stand in the texts. */
  open: readonly string[]
}

/** What the layers come to: each setting with the layer that it is from, what has no value, and the texts of a call. */
export function Preview({ preview: { data, error }, ready, open }: PreviewProps) {
  if (!ready) {
    return (
      <Card>
        <Empty icon={<IconStack2 size={28} />} title="What it comes to">
          Choose an industry or a base: what a call begins with, and which layer each setting is from, is shown here at
          once. Nothing is created before you say so.
        </Empty>
      </Card>
    )
  }
  if (error) {
    return (
      <Alert color={statusOf(error) === 422 ? 'yellow' : 'red'} title={messageOf(error)}>
        <List size="sm">
          {Object.entries(fieldErrors(error)).map(([field, text]) => (
            <List.Item key={field}>
              {field}: {text}
            </List.Item>
          ))}
        </List>
      </Alert>
    )
  }
  if (!data) return <Skeleton h={360} />
  const { config, provenance, unresolved, rendered } = data.data
  const used = [...new Set(Object.values(provenance))]
  return (
    <Stack>
      {open.length > 0 && <Alert title="Still to answer">{open.join(', ')}</Alert>}
      {unresolved.length > 0 && (
        <Alert color="yellow" title="Without a value">
          {unresolved.map(placeholder).join(', ')} would be left out of what it says. Fill in what the form asks for.
        </Alert>
      )}
      <Card>
        <Title order={2} size="h5" mb="sm">
          As a call begins
        </Title>
        <Paper className="turn assistant" p="sm" radius="lg" mb="md">
          <Text size="sm" className="prose">
            {rendered.first_message || 'It waits for the caller.'}
          </Text>
        </Paper>
        {rendered.messages.map(({ role, content }) => (
          <Text key={role} size="sm" className="prose">
            {content}
          </Text>
        ))}
      </Card>
      <Card>
        <Group mb="sm" gap="xs">
          <Title order={2} size="h5">
            Layers
          </Title>
          {used.map((layer) => (
            <Badge key={layer} color={layers[layer].color}>
              {layers[layer].label}
            </Badge>
          ))}
        </Group>
        <Rows>
          <Table layout="fixed" miw={440}>
            <Table.Tbody>
              {Object.entries(provenance).map(([path, layer]) => (
                <Table.Tr key={path}>
                  <Table.Td w={140}>
                    <Badge color={layers[layer].color} miw="max-content">
                      {layers[layer].label}
                    </Badge>
                  </Table.Td>
                  <Table.Td className="code">
                    <Text inherit truncate title={path}>
                      {path}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Text size="sm" truncate title={valueAt(config, path)}>
                      {valueAt(config, path)}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Rows>
      </Card>
    </Stack>
  )
}
