import { beforeAll, expect, test } from 'vitest'
import { callerOf } from '../agents/caller.ts'
import { fakeModelServer } from '../agents/fake-model-server.ts'
import { embedder, newUser, type TestApp, testApp } from '../support/app.ts'
import { indexedFile } from './indexed-file.ts'

const handbook = `# Visitor handbook

The cafeteria on the second floor serves breakfast from seven until ten. Lunch is from noon to two.

Visitors leave their cars in the garage behind the main building; the first hour is free, every further hour costs two euros.

The wireless network is called Guest-Net. Its password changes every Monday and stands on the board at reception.

If you lose your badge, report it at the security desk at once; a new one costs fifteen euros.

In case of fire leave by the stairs, never by the lift, and gather at the fountain.
`

beforeAll(async () => {
  await embedder.embed(['The model is loaded before the first upload.'])
})

const club = `# Rowing club

Members take out single sculls after the second course. Racing eights are reserved for the squad.

The annual fee is 210 euros, for students 95 euros. Families pay 380 euros together.

The weight room is open to members from six in the morning. Showers have hot water until ten at night.

Life jackets are compulsory from November to March. At more than wind force five nobody goes out.
`
const school = `# Escuela de cocina

El curso de arroces dura cuatro horas y cuesta 65 euros. El curso de repostería se imparte los sábados por la mañana.

Las reservas se pagan por adelantado con tarjeta. Los vales de regalo caducan al cabo de un año.

Los grupos tienen un máximo de doce alumnos. Cada alumno recibe un delantal y un recetario.
`

/** An agent of a new user that has a file. */
async function guide(app: TestApp, text = handbook) {
  const { token } = await newUser(app.database)
  const caller = callerOf(app, token)
  const agent = await caller.agent()
  await indexedFile(app, { token, agent, name: 'handbook.md', text })
  return async (content: string): Promise<string> => {
    const chat = await caller.chat(agent)
    const { body } = await caller.post(`/agents/${agent}/chats/${chat}/messages`, { content })
    return body.data.assistant_message.content
  }
}

test.each([
  ['Where can I park?', 'Visitors leave their cars in the garage behind the main building'],
  ['What do I do when my ID card is gone?', 'If you lose your badge, report it at the security desk at once'],
  ['Is there internet for guests?', 'The wireless network is called Guest-Net.'],
  ['How do we get out when it burns?', 'In case of fire leave by the stairs'],
])('without a language model, "%s" is answered by what the handbook says, with its name', async (question, answer) => {
  const ask = await guide(await testApp({ remember: false }))
  const said = await ask(question)
  expect(said).toContain(answer)
  expect(said).toContain('[handbook.md, Visitor handbook]')
})

test('what no file says is not made up', async () => {
  const ask = await guide(await testApp({ remember: false }))
  expect(await ask('Who won the football championship?')).toBe(
    'I do not know: what I have been given says nothing about that.',
  )
})

test('of files that are about something else, nothing is quoted because it is the nearest', async () => {
  const app = await testApp({ remember: false })
  const ask = await guide(app, club)
  for (const question of ['Do you offer swimming lessons?', 'Which bus goes to your place?', 'Can I bring my dog?']) {
    expect(await ask(question)).toBe('I do not know: what I have been given says nothing about that.')
  }
  expect(await ask('Is there hot water at night?')).toContain('Showers have hot water until ten at night.')
})

test('a question too short to tell its language is one in that of the files', async () => {
  const ask = await guide(await testApp({ remember: false }), school)
  for (const question of ['¿Venden cuchillos?', '¿Dan un certificado oficial?']) {
    expect(await ask(question)).toBe('No lo sé: mis documentos no dicen nada sobre eso.')
  }
  expect(await ask('¿Caducan los vales?')).toContain('Los vales de regalo caducan al cabo de un año.')
})

test('a language model gets the passage and its file for a question in other words', async () => {
  const fake = fakeModelServer()
  try {
    const ask = await guide(await testApp({ remember: false, models: fake.models }))
    fake.script.push({ reply: 'In the garage behind the main building [handbook.md, Visitor handbook].' })
    expect(await ask('Where can I park?')).toBe(
      'In the garage behind the main building [handbook.md, Visitor handbook].',
    )
    const prompt = JSON.stringify(fake.received[0]?.messages)
    expect(prompt).toContain('Visitors leave their cars in the garage')
    expect(prompt).toContain('handbook.md, Visitor handbook')
  } finally {
    await fake.stop()
  }
})
