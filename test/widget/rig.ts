import { newUser, type TestApp, type TestUser } from '../support/app.ts'

/** What the assistants of these tests know. */
export const prompt = 'You answer for a bakery. We open at seven every morning. Our rye bread costs four euros.'

/** An assistant with a widget. */
export interface WidgetRig {
  assistantId: string
  user: TestUser
  key(): Promise<string>
  html(): Promise<string>
  configure(config: object): Promise<void>
  rotate(): Promise<void>
}

/** Makes an assistant whose widget is configured as given. */
export async function newWidget(app: TestApp, config: object = {}, user?: TestUser): Promise<WidgetRig> {
  const owner = user ?? (await newUser(app.database))
  const { token } = owner
  const created = await app.send('POST', '/assistants', {
    token,
    body: {
      name: 'Bakery',
      firstMessage: 'Good morning from the bakery!',
      model: { messages: [{ role: 'system', content: prompt }] },
    },
  })
  if (created.status !== 201) throw new Error(await created.text())
  const assistantId: string = (await created.json()).data.assistant_id
  const path = `/assistants/${assistantId}/embed`
  const data = async () => (await (await app.send('GET', path, { token })).json()).data
  const rig: WidgetRig = {
    assistantId,
    user: owner,
    key: async () => (await data()).public_key,
    html: async () => (await data()).embed_html,
    async configure(embed_config) {
      const saved = await app.send('PUT', path, { token, body: { embed_config } })
      if (saved.status !== 200) throw new Error(await saved.text())
    },
    async rotate() {
      await app.send('POST', `${path}/rotate-key`, { token })
    },
  }
  await rig.configure(config)
  return rig
}
