import { Center, getDefaultZIndex, Loader, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { api, queryClient } from '../api/client.ts'
import { Failed } from '../parts/failed.tsx'
import { AccessProvider } from './access.tsx'
import { session } from './session.ts'
import { SignInForm } from './sign-in-form.tsx'
import { SignInPage } from './sign-in-page.tsx'

/** Shows its children to whoever has a token, and asks for another over them when that one has ended. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { token, expired, screen } = useSyncExternalStore(session.subscribe, session.snapshot)
  if (!token) return <SignInPage />
  return (
    <>
      <Signed key={screen}>{children}</Signed>
      <Modal
        opened={expired}
        onClose={() => {}}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        title="Sign in again"
        centered
        // Above a dialog that was opened before.
        zIndex={getDefaultZIndex('max')}
      >
        <SignInForm
          note="Your token has ended or was revoked. What you typed is still here for you, and goes when another user signs in."
          former={queryClient.getQueryData(accessQuery.queryKey)?.data.user.id}
          onDone={() => queryClient.invalidateQueries()}
        />
      </Modal>
    </>
  )
}

const accessQuery = api.profile.access.queryOptions({}, { staleTime: 60_000 })

function Signed({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useQuery(accessQuery)
  if (data) return <AccessProvider value={data.data}>{children}</AccessProvider>
  return (
    <Center mih="100dvh" p="md">
      {error ? <Failed error={error} retry={refetch} /> : <Loader role="status" aria-label="Loading" />}
    </Center>
  )
}
