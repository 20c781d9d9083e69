import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { createSwitchboard, errorOf } from 'switchboard-client'

/** A list of assistants that grows, with the typed client under TanStack Query. */
const { api } = createSwitchboard({ url: location.origin, token: () => sessionStorage.getItem('token') ?? '' })
const key = ['assistants']

export function Assistants() {
  const queries = useQueryClient()
  const list = useQuery({ queryKey: key, queryFn: () => api.assistants.list.query({ lite: true }) })
  const create = useMutation({
    mutationFn: (name: string) => api.assistants.create.mutate({ name }),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  })
  return (
    <main>
      <ul>
        {list.data?.data.map(({ assistant_id: id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      <form action={(fields) => create.mutate(String(fields.get('name')))}>
        <input name="name" aria-label="Name" />
        <button type="submit">Make an assistant</button>
      </form>
      {create.error && <p role="alert">{errorOf(create.error)?.body.message ?? 'The server did not answer.'}</p>}
    </main>
  )
}

const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={new QueryClient()}>
      <Assistants />
    </QueryClientProvider>,
  )
}
