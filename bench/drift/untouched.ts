import { all, type Body, forEach, type World } from './world.ts'

const atOnce = 8

/** Assistants of several shapes, squads of two, tools and numbers, as owners make them: that many in all. */
async function furnish(world: World, count: number): Promise<void> {
  const places = Array.from({ length: count }, (_, place) => place)
  const made: Body[] = []
  await forEach(
    places.filter((place) => place % 10 < 7),
    atOnce,
    async (place) => {
      const body = {
        name: `Assistant ${place}`,
        firstMessage: place % 2 === 0 ? `Hello, this is ${place}.` : null,
        ...(place % 3 === 0 && { maxDurationSeconds: 300 + place, endCallPhrases: ['goodbye', 'bye'] }),
        ...(place % 5 === 0 && {
          metadata: { webhook_url: 'https://hooks.example/calls' },
          voicemailDetection: { enabled: true },
        }),
        ...(place % 7 === 0 && { model: { messages: [{ role: 'system', content: 'Be brief.' }], maxTokens: 200 } }),
      }
      made.push(await world.data('POST', '/assistants', body))
    },
  )
  await forEach(
    places.filter((place) => place % 10 === 7 || place % 10 === 8),
    atOnce,
    async (place) => {
      const members = [place, place + 1].map((index) => ({ assistantId: made[index % made.length]?.assistant_id }))
      const draft = await world.data('POST', '/squads', { name: `Team ${place}`, members: [] })
      await world.data('PUT', `/squads/${draft.external_squad_id}`, { name: `Team ${place}`, members })
    },
  )
  // The carrier is asked for one thing at a time.
  for (const place of places.filter((one) => one % 10 === 9)) {
    const [offer] = await world.data<Body[]>('GET', '/phone-numbers/available')
    const number = await world.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
    await world.data('PUT', `/phone-numbers/${number.id}`, {
      name: `Line ${place}`,
      voice_assistant_id: made[place % made.length]?.assistant_id,
    })
  }
}

/** How many differences are found at so many resources that nobody touches, swept so often. */
export async function untouched(world: World, resources: number, sweeps: number): Promise<number> {
  await furnish(world, resources)
  let found = 0
  for (let count = 0; count < sweeps; count += 1) {
    await world.sweep()
    found += (await all(world, '/drift')).length
  }
  return found + (await all(world, '/drift?state=resolved')).length
}
