import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** A button that copies a text; `what` names it for everybody who cannot see it. */
export function Copy({ value, what }: { value: string; what: string }) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon
            variant="subtle"
            color={copied ? 'teal' : 'gray'}
            size="sm"
            aria-label={`Copy ${what}`}
            onClick={copy}
          >
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}

/** An id with its button; long ones are cut. */
export function CopyId({ value, what, short = false }: { value: string; what: string; short?: boolean }) {
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex">
      <Code title={value}>{short && value.length > 13 ? `${value.slice(0, 8)}…` : value}</Code>
      <Copy value={value} what={what} />
    </Group>
  )
}
