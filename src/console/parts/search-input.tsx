import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'

interface SearchInputProps extends Pick<TextInputProps, 'flex' | 'miw' | 'maw' | 'm'> {
  /** What is searched by, for the eye and the ear. */
  label: string
  value: string | undefined
  /** Called once typing pauses; undefined for no search. */
  onSearch(search: string | undefined): void
}

/** What a list is searched by. */
export function SearchInput({ label, value, onSearch, ...box }: SearchInputProps) {
  const find = useDebouncedCallback((text: string) => onSearch(text || undefined), 250)
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      defaultValue={value}
      onChange={(event) => find(event.currentTarget.value)}
      {...box}
    />
  )
}
