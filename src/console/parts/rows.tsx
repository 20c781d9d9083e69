import { ScrollArea } from '@mantine/core'
import type { ReactNode } from 'react'

/** A table that scrolls by itself where it is too wide; the keyboard reaches it. */
export function Rows({ children }: { children: ReactNode }) {
  return (
    <ScrollArea
      className="rows"
      type="auto"
      offsetScrollbars="present"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Table' }}
    >
      {children}
    </ScrollArea>
  )
}
