import { expect, test } from 'vitest'
import { replay } from '../../fuzz/request.ts'
import { run } from '../../fuzz/run.ts'
import { given } from '../../fuzz/target.ts'
import { newUser, testApp } from '../support/app.ts'
import { listening } from '../support/listening.ts'

test('some hundred requests, right and wrong, over REST, tRPC and sockets find nothing', async () => {
  const app = await testApp()
  const { url, stop } = listening(app)
  try {
    const operator = await newUser(app.database, { role: 'admin' })
    const { sent, findings, faults } = await run(given(url, operator.token), {
      seed: 20_260_301,
      count: 600,
      lanes: 4,
      maxMemory: Number.POSITIVE_INFINITY,
      maxMilliseconds: 20_000,
      maxSeconds: 20,
    })
    expect(findings.map(({ request, problem }) => `request ${request.number}: ${problem}\n${replay(request)}`)).toEqual(
      [],
    )
    expect(faults).toEqual([])
    expect(sent).toBeGreaterThan(100)
  } finally {
    await stop()
  }
})
