import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'

/** Puts names in the place of ids in changes: so far those of tools. */
export function useNames(): (path: string, value: unknown) => unknown {
  const { data } = useQuery(api.assistantTools.list.queryOptions({}, { staleTime: 60_000 }))
  const labels = new Map(data?.data.map(({ value, label }) => [value, label]))
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named)
    return typeof value === 'string' ? (labels.get(value) ?? value) : value
  }
  return (path, value) => (path.startsWith('model.toolIds') ? named(value) : value)
}
