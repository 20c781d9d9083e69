import { api, client } from '../api/client.ts'
import { choicesAtOnce, type Found } from './search-select.tsx'

/** What a field asks the server from which an assistant is chosen; its values are public ids. */
export const assistantSearch = {
  queryKey: [...api.assistants.list.pathKey(), 'choices'],
  async find(search: string): Promise<Found> {
    const { data, pagination } = await client.assistants.list.query({ search, per_page: choicesAtOnce, lite: true })
    return {
      choices: data.map(({ assistant_id, name }) => ({ value: assistant_id, label: name })),
      more: pagination.last_page > 1,
    }
  },
}
