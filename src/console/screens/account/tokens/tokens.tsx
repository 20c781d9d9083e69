import { ActionIcon, Badge, Button, Card, Code, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconX } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, queryClient } from '../../../api/client.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { formatAgo, formatTime } from '../../../parts/format.ts'
import { Listing } from '../../../parts/listing.tsx'
import { RowButton } from '../../../parts/row-button.tsx'
import { tellDone, tellFailed } from '../../../parts/saved.ts'
import { useMayWriteOwn } from '../../../session/access.tsx'
import { session } from '../../../session/session.ts'
import { TokenBudget, TokenUse } from './budget.tsx'
import { CreateToken } from './create.tsx'
import { sayScopes } from './scopes.ts'
import { isCurrent, type Token } from './token.ts'

const route = getRouteApi('/account')

/** The tokens that sign in as the caller. */
export default function Tokens() {
  const mayWrite = useMayWriteOwn()
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const [creating, dialog] = useDisclosure(false)
  const [shown, setShown] = useState<Token>()
  const list = useQuery(api.tokens.list.queryOptions({ page }, { placeholderData: keepPreviousData }))
  return (
    <Card padding={0}>
      <Group p="md" justify="space-between">
        <Text c="dimmed" size="sm" flex={1} miw={220}>
          Each signs in as you, here and at the API. Make one for every device and program, so that one alone can be
          revoked.
        </Text>
        {mayWrite && (
          <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
            New token
          </Button>
        )}
      </Group>
      <Listing
        list={list}
        columns={[
          {
            head: 'Token',
            cell: (token) => (
              <Group gap="xs">
                <RowButton onClick={() => setShown(token)}>{token.name}</RowButton>
                <Code>{token.prefix}…</Code>
                {isCurrent(token) && <Badge>signed in</Badge>}
              </Group>
            ),
          },
          { head: 'May do', maxWidth: 260, cell: ({ scopes }) => sayScopes(scopes) },
          {
            head: 'Last used',
            numbers: true,
            cell: ({ last_used_at }) => (last_used_at ? formatAgo(last_used_at) : 'Never'),
          },
          { head: 'Ends', numbers: true, cell: ({ expires_at }) => <Ends at={expires_at} /> },
          { head: 'Budget', numbers: true, cell: ({ id }) => <TokenUse id={id} /> },
          { label: 'Actions', align: 'right', cell: (token) => mayWrite && <Revoke token={token} /> },
        ]}
        id={({ id }) => id}
        minWidth={860}
        opens
        onPage={(next, replace) => navigate({ search: (old) => ({ ...old, page: next }), replace })}
      />
      {shown && <TokenBudget token={shown} onClose={() => setShown(undefined)} />}
      {creating && <CreateToken onClose={dialog.close} />}
    </Card>
  )
}

function Ends({ at }: { at: string | null }) {
  if (at === null) return 'Never'
  return Date.parse(at) > Date.now() ? formatTime(at) : <Badge color="red">ended</Badge>
}

/** Revokes a token after a question; the one that the console is signed in with signs it out. */
function Revoke({ token }: { token: Token }) {
  const isMine = isCurrent(token)
  const revoke = useMutation(
    api.tokens.delete.mutationOptions({
      onSuccess() {
        if (isMine) return session.signOut()
        tellDone('The token is revoked.')
        queryClient.invalidateQueries(api.tokens.pathFilter())
      },
      onError: tellFailed,
    }),
  )
  return (
    <Confirm
      title={`Revoke ${token.name}?`}
      text={
        isMine
          ? 'You are signed in with it: you are signed out here, and it is refused everywhere from then on.'
          : 'Whatever signs in with it is refused from then on.'
      }
      action="Revoke token"
      onConfirm={() => revoke.mutate({ id: token.id })}
    >
      {(ask) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Revoke ${token.name}`}
          onClick={ask}
          loading={revoke.isPending}
        >
          <IconX size={16} />
        </ActionIcon>
      )}
    </Confirm>
  )
}
