import { QueryClient } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { AppRouter } from '../../router.ts'
import { session, whenLeft } from '../session/session.ts'
import { serverUrl } from './address.ts'
import { statusOf } from './failure.ts'
import { reach } from './reach.ts'
import { recordedCalls, recordLink } from './record.ts'

const isWorthAnotherTry = (failures: number, error: unknown) =>
  failures < 2 && (!(error instanceof TRPCClientError) || (statusOf(error) ?? 503) >= 502)

export const queryClient = new QueryClient({
  // A server on this machine or network is reached without the internet, which is all that a browser knows of.
  defaultOptions: {
    queries: { staleTime: 5_000, retry: isWorthAnotherTry, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

// Whoever signs in next sees nothing of who was signed in.
whenLeft(() => {
  queryClient.clear()
  recordedCalls.clear()
})

// What could not be read is read when the server is back.
reach.subscribe(() => {
  if (!reach.snapshot()) queryClient.invalidateQueries()
})

/** The typed client of the public API: what the console does, anybody with a token can do. */
export const client = createTRPCClient<AppRouter>({
  links: [
    recordLink,
    httpBatchLink({
      url: `${serverUrl}/trpc`,
      maxItems: 20,
      headers: () => session.headers(),
      // Every call of a batch is sent with one token, so that none is taken without the others.
      async fetch(input, init) {
        const response = await reach.fetch(input, init as RequestInit)
        if (response.status === 401) session.expire(new Headers(init?.headers).get('authorization'))
        return response
      },
    }),
  ],
})

/** The same for TanStack Query: `api.assistants.list.queryOptions(...)`. */
export const api = createTRPCOptionsProxy<AppRouter>({ client, queryClient })
