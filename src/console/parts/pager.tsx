import { Group, Pagination, Text } from '@mantine/core'
import { formatCount } from './format.ts'

interface PagerProps {
  pagination: { current_page: number; last_page: number; total: number; from: number | null; to: number | null }
  onChange: (page: number) => void
}

/** Where in a list one is; nothing when it has one page. */
export function Pager({ pagination, onChange }: PagerProps) {
  const { current_page, last_page, total, from, to } = pagination
  if (last_page <= 1) return null
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
