import { expect, test } from 'vitest'
import { haproxyProgram } from '../../scale/rolling/haproxy.ts'
import { roll } from '../../scale/rolling/rolling.ts'
import { onServer } from '../support/database.ts'

// Its instances share a server of their own, wherever the others run: once is enough.
test.skipIf(haproxyProgram === null || !onServer())(
  'a rolling restart of three instances behind a balancer loses no request of a client that never retries',
  async () => {
    const { sent, lost, exitCodes } = await roll({ requests: 5_000, clients: 8, drainSeconds: 3, say: () => {} })
    expect(Object.fromEntries(lost)).toEqual({})
    expect(exitCodes).toEqual([0, 0, 0])
    expect(sent).toBeGreaterThanOrEqual(5_000)
  },
  240_000,
)
