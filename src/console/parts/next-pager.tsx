import { Button, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'

interface NextPagerProps {
  page: number
  hasMore: boolean
  onChange: (page: number) => void
}

/** Back and forth in a list that does not say how long it is; nothing when it has one page. */
export function NextPager({ page, hasMore, onChange }: NextPagerProps) {
  if (page === 1 && !hasMore) return null
  return (
    <Group justify="flex-end" px="md" py="sm" gap="xs">
      <Button
        size="xs"
        variant="default"
        disabled={page === 1}
        leftSection={<IconChevronLeft size={15} />}
        onClick={() => onChange(page - 1)}
      >
        Newer
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={!hasMore}
        rightSection={<IconChevronRight size={15} />}
        onClick={() => onChange(page + 1)}
      >
        Older
      </Button>
    </Group>
  )
}
