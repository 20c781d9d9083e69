import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { statusOf } from '../../api/failure.ts'
import { Failed } from '../../parts/failed.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { currentConfiguration } from '../assistants/current-version.ts'
import { choicesOf, firstChoices } from './body.ts'
import { Builder } from './builder.tsx'

const route = getRouteApi('/build')

/** Builds an assistant from layers, or one that was built so again, with what each layer brings in sight. */
export function BuildScreen() {
  const { search: assistantId } = route.useSearch()
  const options = useQuery(api.assistantBuilder.formOptions.queryOptions())
  const built = useQuery(
    api.assistantBuilder.get.queryOptions({ assistantId: assistantId ?? '' }, { enabled: assistantId !== undefined }),
  )
  const kept = useQuery({
    queryKey: ['built from', assistantId],
    queryFn: async () => (assistantId ? ((await currentConfiguration(assistantId)) ?? null) : null),
    enabled: assistantId !== undefined,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const error = options.error ?? built.error ?? kept.error
  if (statusOf(error) === 404) return <NotFound />
  if (!options.data || (assistantId && (!built.data || kept.data === undefined))) {
    if (!error) return <Skeleton h={360} />
    return <Failed error={error} retry={() => Promise.all([options.refetch(), built.refetch(), kept.refetch()])} />
  }
  const existing = built.data?.data
  const first = existing ? choicesOf(existing, kept.data ?? undefined) : firstChoices
  return <Builder key={assistantId} options={options.data.data} existing={existing} first={first} />
}
