import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/failure.ts'

export interface Choice {
  value: string
  label: string
}

export interface ChoiceGroup {
  group: string
  items: Choice[]
}

/** What the server has for a search. */
export interface Found {
  choices: (Choice | ChoiceGroup)[]
  /** Whether there are others, which a longer search finds. */
  more: boolean
}

/** How many choices of one kind are shown at once. */
export const choicesAtOnce = 20

type Passed = Pick<SelectProps, 'label' | 'placeholder' | 'error' | 'disabled' | 'w' | 'maw' | 'onBlur' | 'onFocus'>

interface SearchSelectProps extends Passed {
  value?: string | null
  /** The choice by its value and by what it is called. */
  onChange(value: string, label: string): void
  /** What is found is kept in the cache by this key and the search. */
  queryKey: readonly unknown[]
  find(search: string): Promise<Found>
  /** What `value` is called, where the server may not have found it. */
  chosen?: Choice
  /** Choices besides those of the server. */
  fixed?: readonly Choice[]
  /** Choices that are not offered. */
  without?: (value: string) => boolean
  /** What to do where the server has nothing at all. */
  none?: string
}

const itemsOf = (choices: Found['choices']) => choices.flatMap((one) => ('items' in one ? one.items : [one]))

const others = { value: ' others', label: 'Type a part of the name to find others', disabled: true }

/** A choice from a list of any length: the server is asked for what is typed. */
export function SearchSelect({
  value = null,
  onChange,
  queryKey,
  find,
  chosen,
  fixed = [],
  without = () => false,
  none,
  ...field
}: SearchSelectProps) {
  const [search, setSearch] = useState('')
  const [picked, setPicked] = useState<Choice>()
  const current = [picked, chosen, ...fixed].find((one) => one?.value === value)
  // The name of what is chosen stands in the field, and is no search.
  const [asked] = useDebouncedValue(search === current?.label ? '' : search.trim(), 250)
  const { data, error, isFetching } = useQuery({
    queryKey: [...queryKey, 'found', asked],
    queryFn: () => find(asked),
    placeholderData: keepPreviousData,
  })
  const found = (data?.choices ?? []).filter((one) => 'items' in one || !without(one.value))
  const offered = [...fixed, ...itemsOf(found)]
  const isOffered = offered.some((one) => one.value === value)
  const isFitting = ({ label }: Choice) => label.toLowerCase().includes(asked.toLowerCase())
  const fitting = new Set([...fixed.filter(isFitting), ...itemsOf(found), others].map((one) => one.value))
  return (
    <Select
      {...field}
      description={data?.choices.length === 0 && asked === '' ? none : undefined}
      data={[...fixed, ...(current && !isOffered ? [current] : []), ...found, ...(data?.more ? [others] : [])]}
      value={value}
      onChange={(next, option) => {
        if (next === null || option === null) return
        const { label } = option
        setPicked({ value: next, label })
        // Where nothing stays chosen, the next choice begins anew.
        if (value === null) setSearch('')
        onChange(next, label)
      }}
      // What is typed takes the place of the name of what is chosen.
      onClick={({ currentTarget }) => search === current?.label && currentTarget.select()}
      // Chooses from the list, and is never that of the form around it.
      onKeyDown={(event) => {
        const isOpen = event.currentTarget.getAttribute('aria-expanded') === 'true'
        if (event.key === 'Enter' && isOpen) event.preventDefault()
      }}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      allowDeselect={false}
      filter={({ options, search: typed }) =>
        options.filter((one) => typed === '' || 'group' in one || fitting.has(String(one.value)))
      }
      nothingFoundMessage={error ? messageOf(error) : isFetching ? 'Searching…' : 'Nothing has this name'}
    />
  )
}
