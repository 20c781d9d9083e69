import { Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, client } from '../../api/client.ts'
import { statusOf } from '../../api/failure.ts'
import { Failed } from '../../parts/failed.tsx'
import { mayRead, useAccess } from '../../session/access.tsx'
import { Canvas } from './canvas.tsx'
import type { Named, Squad } from './drawing.ts'

/** What is known of an assistant; nothing of one that the caller does not have. */
async function namedOf(assistantId: string): Promise<Named[]> {
  try {
    const { data } = await client.assistants.get.query({ assistantId })
    return [{ assistantId: data.assistant_id, liveId: data.voice_assistant_id, name: data.name }]
  } catch (error) {
    if (statusOf(error) === 404) return []
    throw error
  }
}

/**
 * The squad as a drawing, once the names of its members are known. For who may not look at assistants it has the name
 * of the first one alone, as the record has it.
 */
export default function Graph({ squad }: { squad: Squad }) {
  const mayLook = mayRead(useAccess(), 'assistants')
  const ids = [...new Set(squad.members.map(({ assistantId }) => assistantId))].sort()
  const named = useQuery({
    queryKey: [...api.assistants.get.pathKey(), 'names', ids],
    queryFn: async () => (await Promise.all(ids.map(namedOf))).flat(),
    enabled: mayLook,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
  if (mayLook && !named.data) {
    if (!named.error) return <Skeleton h={420} />
    return <Failed error={named.error} retry={named.refetch} />
  }
  const [first] = mayLook ? [] : squad.members
  const known = [
    ...(named.data ?? []),
    ...(first ? [{ assistantId: first.assistantId, name: squad.entryAssistantName }] : []),
  ]
  return <Canvas squad={squad} known={known} isKnown={!named.isPlaceholderData} />
}
