import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

interface SearchInputProps extends Pick<TextInputProps, 'flex' | 'maw' | 'm'> {
  /** What is searched by, for the eye and the ear. */
  label: string
  value: string | undefined
  /** Called once typing pauses; undefined for no search. */
  onSearch(search: string | undefined): void
}

/** What a list is searched by. */
export function SearchInput({ label, value, onSearch, ...box }: SearchInputProps) {
  const [text, setText] = useState(value ?? '')
  const told = useRef(value)
  const find = useDebouncedCallback((typed: string) => {
    told.current = typed || undefined
    onSearch(told.current)
  }, 250)
  // A link to another search of the same list.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setText(value ?? '')
  }, [value])
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        find(event.currentTarget.value)
      }}
      miw={0}
      {...box}
    />
  )
}
