import { Button, Card, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { upload } from '../../../api/upload.ts'
import { useKept } from '../../../parts/kept.ts'
import { useUnsent } from '../../../parts/unsaved.ts'

interface Sending {
  name: string
  /** 0 to 1. */
  share: number
  problem?: string
}

const none: readonly Sending[] = []

/** Sends files one after the other, chosen or dropped, and shows how far each is. */
export function Upload({ agentId, onDone }: { agentId: string; onDone: () => void }) {
  const [sending, setSending] = useKept('uploads', agentId, none)
  const [over, setOver] = useState(false)
  useUnsent(sending.some(({ problem }) => problem === undefined))
  const change = (name: string, next: Partial<Sending>) =>
    setSending((all) => all.map((one) => (one.name === name ? { ...one, ...next } : one)))
  async function send(files: File[]) {
    setSending(() => files.map(({ name }) => ({ name, share: 0 })))
    for (const file of files) {
      try {
        await upload(`/agents/${agentId}/files`, { file }, (share) => change(file.name, { share }))
        setSending((all) => all.filter(({ name }) => name !== file.name))
        onDone()
      } catch (error) {
        change(file.name, { problem: error instanceof Error ? error.message : 'The file was not taken.' })
      }
    }
  }
  return (
    <Card
      className={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        send([...event.dataTransfer.files])
      }}
    >
      <Stack gap="sm">
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            Drop files here: txt, md, csv, json and log are searched, pdf and docx are kept.
          </Text>
          <FileButton onChange={send} multiple inputProps={{ 'aria-label': 'Files to upload' }}>
            {(props) => (
              <Button {...props} leftSection={<IconUpload size={16} />}>
                Upload files
              </Button>
            )}
          </FileButton>
        </Group>
        {sending.map(({ name, share, problem }) => (
          <div key={name}>
            <Text size="sm" c={problem ? 'red' : undefined}>
              {name}
              {problem && `: ${problem}`}
            </Text>
            {!problem && <Progress value={share * 100} aria-label={`Upload of ${name}`} />}
          </div>
        ))}
      </Stack>
    </Card>
  )
}
