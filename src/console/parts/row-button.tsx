import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'

/** What opens a row of a table that has no address of its own. */
export function RowButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <UnstyledButton className="row-link numbers" onClick={onClick}>
      {children}
    </UnstyledButton>
  )
}
