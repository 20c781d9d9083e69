import type { client } from '../../api/client.ts'
import { formatCount, formatUsd } from '../../parts/format.ts'

/** What an agent or a token may use, and has used. */
export type Budget = Awaited<ReturnType<typeof client.budgets.getOfToken.query>>['data']
export type Window = NonNullable<Budget['window']>
export type Limits = Pick<Budget, 'tokens' | 'usd'> & { window: Window }

export const windows: Record<Window, string> = { day: 'Day', week: 'Week', month: 'Month' }

const shareOf = (used: number, limit: number) => (limit > 0 ? Math.min(1, used / limit) : 1)

/** Each limit with what is used of it, such as `$1.20 of $5.00 a day`; its share is 0 to 1. */
export function sayUsed({ window, usd, tokens, used_usd, used_tokens }: Budget): { text: string; share: number }[] {
  const [inUsd, inTokens] = [used_usd ?? 0, used_tokens ?? 0]
  return [
    ...(usd === null
      ? []
      : [{ text: `${formatUsd(inUsd)} of ${formatUsd(usd)} a ${window}`, share: shareOf(inUsd, usd) }]),
    ...(tokens === null
      ? []
      : [
          {
            text: `${formatCount(inTokens)} of ${formatCount(tokens)} tokens a ${window}`,
            share: shareOf(inTokens, tokens),
          },
        ]),
  ]
}
