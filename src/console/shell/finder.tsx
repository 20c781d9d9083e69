import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { useAccess } from '../session/access.tsx'
import { useFindings } from './findings.ts'
import { pagesFor } from './navigation.ts'

/**
 * Enter opens the first one where none is chosen yet: what the server finds comes after the choice of what was there.
 */
function openFirst({ key, nativeEvent }: KeyboardEvent): void {
  if (key !== 'Enter' || nativeEvent.isComposing || document.querySelector('[data-action][data-selected]')) return
  document.querySelector<HTMLElement>('[data-action]')?.click()
}

/** The search over sections and resources, with cmd-K or ctrl-K. */
export function Finder() {
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [asked] = useDebouncedValue(query.trim(), 150)
  const findings = useFindings(asked)
  const pages: SpotlightActionData[] = pagesFor(useAccess()).map(({ label, to, icon: Icon, about }) => ({
    id: to,
    label,
    description: about,
    leftSection: <Icon size={20} stroke={1.6} />,
    onClick: () => navigate({ to }),
  }))
  const found: SpotlightActionData[] = findings.map(({ id, label, description, to, icon: Icon }) => ({
    id,
    label,
    description,
    keywords: [asked],
    leftSection: <Icon size={20} stroke={1.6} />,
    onClick: () => navigate({ to }),
  }))
  return (
    <Spotlight
      query={query}
      onQueryChange={setQuery}
      actions={[
        { group: 'Screens', actions: pages },
        ...(found.length > 0 ? [{ group: 'Found', actions: found }] : []),
      ]}
      nothingFound="Nothing found."
      shortcut={['mod + K', '/']}
      limit={24}
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': 'Search' } }}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Search screens and names',
        'aria-label': 'Search',
        onKeyDown: openFirst,
      }}
    />
  )
}
