import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { SearchInput } from '../../parts/search-input.tsx'
import { useMayAdminister } from '../../session/access.tsx'

interface ListHeadProps {
  /** What the button says that makes a new one. */
  action: string
  onCreate: () => void
  search?: Pick<Parameters<typeof SearchInput>[0], 'label' | 'value' | 'onSearch'>
}

/** Above a list of operators: what it is searched by, and a button for those whose token may write. */
export function ListHead({ action, onCreate, search }: ListHeadProps) {
  const mayAdminister = useMayAdminister()
  if (!search && !mayAdminister) return null
  return (
    <Group p="md" justify="flex-end">
      {search && <SearchInput {...search} flex="1 1 220px" />}
      {mayAdminister && (
        <Button leftSection={<IconPlus size={16} />} onClick={onCreate}>
          {action}
        </Button>
      )}
    </Group>
  )
}
