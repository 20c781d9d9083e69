import { Alert, Code, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Copy } from './copy.tsx'

interface ShownOnceProps {
  title: string
  token: string
  /** What ends it. */
  children?: ReactNode
}

/** A new token, which can be copied as long as it is here, and is never shown again. */
export function ShownOnce({ title, token, children }: ShownOnceProps) {
  return (
    <Alert color="teal" title={title}>
      <Group wrap="nowrap" gap="xs">
        <Code style={{ overflowWrap: 'anywhere' }}>{token}</Code>
        <Copy value={token} what="the token" />
      </Group>
      {children}
    </Alert>
  )
}
