import { Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queryClient } from '../../api/client.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tellFailed } from '../../parts/saved.ts'
import { useMayAdminister } from '../../session/access.tsx'
import type { Workspace } from './workspaces.tsx'

type Mode = Workspace['billing']

const modes: Record<Mode, { label: string; happens: string }> = {
  none: { label: 'Not billed', happens: 'Its users are charged nothing from then on. Its balance is kept.' },
  usd: {
    label: 'US dollars',
    happens:
      'Its users are refused until it has a balance in US dollars. What it has in tokens is kept, and not spent.',
  },
  tokens: {
    label: 'Tokens',
    happens:
      'Its users are refused until it has a balance in tokens. What it has in US dollars is kept, and not spent.',
  },
}

/** What a workspace is billed in; another choice is made after a question. */
export function Billing({ workspace: { id, name, billing } }: { workspace: Workspace }) {
  const mayAdminister = useMayAdminister()
  const [chosen, setChosen] = useState<Mode>(billing)
  const update = useMutation(
    api.admin.workspaces.update.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(api.admin.workspaces.pathFilter()),
      onError: tellFailed,
    }),
  )
  return (
    <Confirm
      title={`Change what ${name} is billed in?`}
      text={`${modes[chosen].label}: ${modes[chosen].happens}`}
      action="Change billing"
      onConfirm={() => update.mutate({ id, billing: chosen })}
    >
      {(ask) => (
        <Select
          aria-label={`What ${name} is billed in`}
          data={Object.entries(modes).map(([value, { label }]) => ({ value, label }))}
          value={update.isPending ? update.variables.billing : billing}
          allowDeselect={false}
          disabled={!mayAdminister}
          size="xs"
          w={140}
          onChange={(value) => {
            if (value === null || value === billing) return
            setChosen(value as Mode)
            ask()
          }}
        />
      )}
    </Confirm>
  )
}
