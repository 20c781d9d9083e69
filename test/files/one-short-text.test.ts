import { beforeAll, describe, expect, test } from 'vitest'
import { callerOf } from '../agents/caller.ts'
import { embedder, newUser, type TestApp, testApp } from '../support/app.ts'
import { indexedFile } from './indexed-file.ts'

const texts = {
  'tutor.txt': `I teach guitar to adults at my house on Elm Road, weekdays between 4 and 8. A half-hour lesson is £21, paid
monthly in advance. Anyone who cancels on the day itself is charged in full.`,
  'rental.txt': `Rollerverleih am Hafen. Helme liegen jedem Roller bei. Bei Regen verlegen wir die Fahrt kostenlos auf einen anderen
Tag. Abgeschlossen wird bis 31. Oktober.`,
}

const unknown = /^I do not know|^Das weiß ich nicht/

const asked: [file: keyof typeof texts, question: string, answer: string | RegExp][] = [
  ['tutor.txt', 'How much is a half-hour lesson?', '£21'],
  ['tutor.txt', 'Do I pay if I call off this afternoon?', 'charged in full'],
  ['tutor.txt', 'Where can I park?', unknown],
  ['rental.txt', 'Am Samstag soll es gewittern, was wird aus unserer Buchung?', 'anderen'],
  ['rental.txt', 'It will be wet on Saturday, can we move our ride?', 'anderen'],
  ['rental.txt', 'Brauche ich einen eigenen Kopfschutz?', 'Helme'],
  ['rental.txt', 'Wie groß ist der Parkplatz?', unknown],
]

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await embedder.embed(['The model is loaded before the first upload.'])
})

describe.each(Object.entries(texts))('an agent whose only text is %s', (name, text) => {
  let ask: (question: string) => Promise<string>
  beforeAll(async () => {
    const { token } = await newUser(app.database)
    const caller = callerOf(app, token)
    const agent = await caller.agent()
    await indexedFile(app, { token, agent, name, text })
    ask = async (question) => {
      const chat = await caller.chat(agent)
      const { body } = await caller.post(`/agents/${agent}/chats/${chat}/messages`, { content: question })
      return body.data.assistant_message.content
    }
  })

  test.each(asked.filter(([file]) => file === name))('%s: "%s"', async (_, question, answer) => {
    const reply = await ask(question)
    if (typeof answer === 'string') expect(reply).toContain(answer)
    else expect(reply).toMatch(answer)
  })

  if (name === 'rental.txt') {
    test('a German date does not end the sentence that is quoted', async () => {
      expect(await ask('Bis wann wird abgeschlossen?')).toContain('bis 31. Oktober')
    })
  }
})
