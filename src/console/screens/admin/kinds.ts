import { keepPreviousData } from '@tanstack/react-query'
import { api, client } from '../../api/client.ts'

/** An entry of any kind, as the API gives it. */
export type Entry = Record<string, unknown> & { id: number | string }

/** A page of the entries of any kind. */
interface Entries extends Pick<Awaited<ReturnType<typeof client.admin.tools.list.query>>, 'pagination'> {
  data: Entry[]
}

export type KindName =
  | 'promptTemplates'
  | 'baseConfigs'
  | 'industryTemplates'
  | 'layer2Presets'
  | 'personalities'
  | 'tools'
  | 'modelPrices'

/** What the editor of a kind needs: the text of an entry is JSON, which the server checks. */
interface Kind {
  label: string
  /** A body to begin a new entry from. */
  example: object
  /** What every update of an entry has to say. */
  required: readonly string[]
  /** What of it is written as text, with lines. */
  texts: readonly string[]
  list(page: number): {
    queryKey: readonly unknown[]
    queryFn: () => Promise<Entries>
    placeholderData: typeof keepPreviousData
  }
  get(id: Entry['id']): Promise<Entry>
  create(body: object): Promise<unknown>
  replace(id: Entry['id'], body: object): Promise<unknown>
  remove(id: Entry['id']): Promise<unknown>
}

/** The five procedures of a kind, whose inputs differ by kind; the server says what is wrong with one. */
interface AnyKind {
  list: { query(input: { page: number }): Promise<Entries> }
  get: { query(input: never): Promise<{ data: Entry }> }
  create: { mutate(body: never): Promise<unknown> }
  replace: { mutate(body: never): Promise<unknown> }
  delete: { mutate(input: never): Promise<unknown> }
}

const kind = (
  name: KindName,
  label: string,
  required: readonly string[],
  example: object,
  texts: readonly string[] = [],
): Kind => {
  const procedures: AnyKind = client.admin[name]
  return {
    label,
    example,
    required,
    texts,
    list: (page) => ({
      queryKey: [...api.admin[name].pathKey(), page],
      queryFn: () => procedures.list.query({ page }),
      placeholderData: keepPreviousData,
    }),
    get: async (id) => (await procedures.get.query({ id } as never)).data,
    create: (body) => procedures.create.mutate(body as never),
    replace: (id, body) => procedures.replace.mutate({ ...body, id } as never),
    remove: (id) => procedures.delete.mutate({ id } as never),
  }
}

/** The kinds of the catalogue, in the order in which they are shown. */
export const kinds: Record<KindName, Kind> = {
  promptTemplates: kind('promptTemplates', 'Prompts', ['name', 'prompt'], { name: '', prompt: '', variables: [] }, [
    'prompt',
    'first_message',
    'end_call_message',
  ]),
  baseConfigs: kind('baseConfigs', 'Base configs', ['name', 'config'], { name: '', config: {} }),
  industryTemplates: kind(
    'industryTemplates',
    'Industries',
    ['name', 'base_config_id', 'prompt'],
    {
      name: '',
      base_config_id: 1,
      prompt: '',
      custom_fields: [],
    },
    ['prompt'],
  ),
  layer2Presets: kind('layer2Presets', 'Presets', ['key', 'name', 'overrides'], { key: '', name: '', overrides: {} }),
  personalities: kind('personalities', 'Personalities', ['name', 'voice'], { name: '', voice: {}, prompt: null }, [
    'prompt',
  ]),
  tools: kind('tools', 'Tools', ['label', 'description', 'type', 'scope'], {
    label: '',
    description: '',
    type: 'function',
    scope: 'global',
  }),
  modelPrices: kind('modelPrices', 'Prices', ['model', 'prompt_usd_per_million', 'completion_usd_per_million'], {
    model: '',
    prompt_usd_per_million: 0,
    completion_usd_per_million: 0,
  }),
}
