import { skipToken, useQuery } from '@tanstack/react-query'
import { queryClient } from '../api/client.ts'

/**
 * A state that stays while the console is open, whichever tab or screen is shown, such as what is typed and not sent.
 * Signing out forgets it.
 * @param name what it is of, such as a chat's id
 */
export function useKept<T>(kind: string, name: string, initial: T): [T, (change: (value: T) => T) => void] {
  const queryKey = ['kept', kind, name]
  const { data = initial } = useQuery<T>({
    queryKey,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return [data, (change) => queryClient.setQueryData<T>(queryKey, (value = initial) => change(value))]
}
