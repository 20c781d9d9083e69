import type { Dependencies } from '../../src/app/dependencies.ts'

/** What others did on the voice platform: two greetings are changed, and an assistant is made there. Swept for. */
export async function furnishOutside({ platform, drift }: Dependencies, url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const { data } = await (await fetch(`${url}/assistants?per_page=100`, { headers })).json()
  const changes: Record<string, object> = {
    'After hours': { firstMessage: 'The practice is closed. Who may we call back?', maxDurationSeconds: 900 },
    'Returns and refunds': { firstMessage: 'Good day! What comes back?' },
  }
  for (const { name, voice_assistant_id: id } of data) {
    if (changes[name]) await platform.assistants.update(id, changes[name])
  }
  await platform.assistants.create({ name: 'Switchboard of the old office', firstMessage: 'Who do you want to reach?' })
  await platform.assistants.create({ name: 'Saturday line', firstMessage: 'We are here until one.' })
  await drift.request()
  while ((await drift.progress()).running || (await drift.progress()).requested) await Bun.sleep(200)
}
