import { Card, Group, Loader, Progress, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { messageOf } from '../../../api/failure.ts'

/** Tries what the agent finds for a question, with how well each passage fits. */
export function SearchPlayground({ agentId }: { agentId: string }) {
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text.trim(), 300)
  const { data, error, isFetching } = useQuery(
    api.agentFiles.search.queryOptions(
      { agent_id: agentId, q: asked },
      { enabled: asked !== '', placeholderData: keepPreviousData },
    ),
  )
  return (
    <Card w="100%">
      <Stack>
        <Title order={2} size="h5">
          Search playground
        </Title>
        <TextInput
          aria-label="Question"
          placeholder="When are you open on Saturdays?"
          leftSection={<IconSearch size={16} />}
          rightSection={isFetching && <Loader size="xs" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {asked === '' && (
          <Text size="sm" c="dimmed">
            Ask as a visitor would. You see the passages that the agent gets, best first, found by words and by meaning.
          </Text>
        )}
        {error && <Text c="red">{messageOf(error)}</Text>}
        {asked !== '' && data?.data.length === 0 && <Text c="dimmed">No passage fits.</Text>}
        {asked !== '' &&
          data?.data.map(({ file_id, original_name, text: passage, score }) => (
            <Stack key={`${file_id} ${passage}`} gap={4} className="passage">
              <Group justify="space-between" wrap="nowrap">
                <Text size="sm" fw={600} truncate>
                  {original_name}
                </Text>
                <Text size="sm" className="numbers">
                  {score.toFixed(2)}
                </Text>
              </Group>
              <Progress value={score * 100} size="xs" aria-label={`Fits by ${Math.round(score * 100)} %`} />
              <Text size="sm" c="dimmed" className="prose" lineClamp={8}>
                {passage}
              </Text>
            </Stack>
          ))}
      </Stack>
    </Card>
  )
}
