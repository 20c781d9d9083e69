import { Group, Pagination, Text } from '@mantine/core'
import { useEffect } from 'react'
import { formatCount } from './format.ts'

interface PagerProps {
  pagination: { current_page: number; last_page: number; total: number; from: number | null; to: number | null }
  /** `replace`: in the place of the page that is open, which is none any more. */
  onChange: (page: number, replace?: boolean) => void
}

/** Where in a list one is; nothing when it has one page. Behind the last page it leads to that. */
export function Pager({ pagination, onChange }: PagerProps) {
  const { current_page, last_page, total, from, to } = pagination
  const last = Math.max(last_page, 1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that is none
  useEffect(() => {
    if (current_page > last) onChange(last, true)
  }, [current_page, last])
  if (last === 1) return null
  return (
    <Group justify="space-between" px="md" py="sm">
      <Text size="sm" c="dimmed" className="numbers">
        {from === null || to === null ? 'None' : `${formatCount(from)} to ${formatCount(to)}`} of {formatCount(total)}
      </Text>
      <Pagination
        value={current_page}
        total={last_page}
        onChange={onChange}
        size="sm"
        getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      />
    </Group>
  )
}
