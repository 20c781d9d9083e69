import { Button } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useMayWrite } from '../../session/access.tsx'

/** Leads to the layers of an assistant that was built from some; nothing for others, and for who may not write. */
export function Rebuild({ assistantId }: { assistantId: string }) {
  const mayWrite = useMayWrite('assistants')
  const { data } = useQuery(api.assistantBuilder.get.queryOptions({ assistantId }, { enabled: mayWrite, retry: false }))
  if (!mayWrite || !data || data.data.base_config_name === null) return null
  return (
    <Button
      component={Link}
      to={`/build?search=${assistantId}`}
      variant="default"
      leftSection={<IconStack2 size={16} />}
    >
      Rebuild
    </Button>
  )
}
