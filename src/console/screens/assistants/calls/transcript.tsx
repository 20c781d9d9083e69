import { Paper, Stack, Text } from '@mantine/core'

interface Line {
  by: 'assistant' | 'caller'
  text: string
}

/** The turns of a transcript, which has a line for each: `AI: ...` or `User: ...`; other lines go on with the turn. */
export function turnsOf(transcript: string): Line[] {
  const turns: Line[] = []
  for (const line of transcript.split('\n')) {
    const [, speaker, text = ''] = /^(AI|User): ?(.*)$/.exec(line) ?? []
    const last = turns.at(-1)
    if (speaker) turns.push({ by: speaker === 'AI' ? 'assistant' : 'caller', text })
    else if (last && line !== '') last.text += `\n${line}`
  }
  return turns
}

const speakers = { assistant: 'Assistant', caller: 'Caller' }

/** A conversation as two sides. */
export function Transcript({ turns, names = speakers }: { turns: Line[]; names?: typeof speakers }) {
  return (
    <Stack gap="xs" component="section" aria-label="Transcript">
      {turns.map(({ by, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns have no other name than their place
        <Paper key={index} className={`turn ${by}`} p="sm" radius="lg">
          <Text size="xs" fw={600} className="who">
            {names[by]}
          </Text>
          <Text size="sm" className="prose">
            {text}
          </Text>
        </Paper>
      ))}
    </Stack>
  )
}
