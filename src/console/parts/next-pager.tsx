import { Button, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect } from 'react'

interface NextPagerProps {
  page: number
  hasMore: boolean
  /** Whether nothing is on this page. */
  isEmpty: boolean
  /** `replace`: in the place of the page that is open, which is none any more. */
  onChange: (page: number, replace?: boolean) => void
}

/**
 * Back and forth in a list that does not say how long it is; nothing when it has one page. Behind the last page it
 * leads to the first.
 */
export function NextPager({ page, hasMore, isEmpty, onChange }: NextPagerProps) {
  const isBehind = isEmpty && page > 1 && !hasMore
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that is none
  useEffect(() => {
    if (isBehind) onChange(1, true)
  }, [isBehind])
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
