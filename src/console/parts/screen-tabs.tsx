import { Skeleton, Tabs } from '@mantine/core'
import { type ComponentType, Suspense, useEffect, useRef } from 'react'

export interface ScreenTab<Props> {
  value: string
  label: string
  Content: ComponentType<Props>
}

interface ScreenTabsProps<Props> {
  tabs: readonly ScreenTab<Props>[]
  open: string
  onOpen: (tab: string | undefined) => void
  /** What the open tab is given. */
  content: Props
}

/** The parts of a screen, one at a time; each is loaded when it is opened. */
export function ScreenTabs<Props extends object>({ tabs, open, onOpen, content }: ScreenTabsProps<Props>) {
  const list = useRef<HTMLDivElement>(null)
  // On a phone the open one may be beyond the edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each tab that is opened
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [open])
  return (
    <Tabs value={open} onChange={(tab) => onOpen(tab ?? undefined)} keepMounted={false}>
      <Tabs.List ref={list} className="tabs" mb="lg">
        {tabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ value, Content }) => (
        <Tabs.Panel key={value} value={value}>
          <Suspense fallback={<Skeleton h={320} />}>
            <Content {...content} />
          </Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
