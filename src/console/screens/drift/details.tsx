import { Alert, Badge, Drawer, Group, Stack, Text } from '@mantine/core'
import { CopyId } from '../../parts/copy.tsx'
import { formatAgo, formatNumberOf, formatWord } from '../../parts/format.ts'
import { type Difference, happened, kinds } from './kinds.ts'
import { Leaves } from './leaves.tsx'
import { Reconcile } from './reconcile.tsx'

/** One difference: what differs, and how it ends. */
export function DriftDetails({ difference, onClose }: { difference: Difference; onClose: () => void }) {
  const { kind, name, leaves, found_at, resource, voice_id, resolution } = difference
  const { label, color } = happened[difference.difference]
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={name}>
      <Stack gap="lg">
        <Group gap="sm">
          <Badge color="gray">{kinds[kind].label}</Badge>
          <Badge color={color}>{label}</Badge>
          {resolution && <Badge color="teal">{formatWord(resolution)}</Badge>}
          <Text size="sm" c="dimmed">
            found {formatAgo(found_at)}
          </Text>
        </Group>
        <CopyId value={voice_id} what="the id on the voice platform" />
        {resource === null && (
          <Alert color="gray">It was made on the voice platform. An operator can import it under Administration.</Alert>
        )}
        {kind === 'tool' && resource !== null && (
          <Alert color="gray">
            Tools have no sides to choose from. An operator ends this under Administration, Catalogue, Tools: saving the
            tool keeps what was changed on the voice platform where the entry does not set it; deleting it ends it, too.
          </Alert>
        )}
        <Reconcile difference={difference} onDone={onClose} />
        {leaves.length > 0 && (
          <>
            <Text fw={600}>
              {leaves.length === 1 ? 'One value differs' : `${formatNumberOf(leaves.length, 'value')} differ`}
            </Text>
            <Leaves leaves={leaves} />
          </>
        )}
      </Stack>
    </Drawer>
  )
}
