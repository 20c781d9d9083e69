import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { type Caller, callerOf } from './caller.ts'

let app: TestApp
let caller: Caller
let token: string
let agentId: string

const instructions = `You answer for the Harbour Bakery.
We open at 7 and close at 18 from Tuesday to Saturday. On Sundays and Mondays we are closed.
Cakes are ordered two days ahead. A deposit of 10 euros is due for every cake.
Our address is Quay Street 4.`

beforeAll(async () => {
  app = await testApp({ remember: false })
  token = (await newUser(app.database)).token
  caller = callerOf(app, token)
  agentId = await caller.agent({ name: 'Harbour Desk', description: 'Answers for a bakery.', instructions })
})

const ask = async (content: string, chatId?: string, agent = agentId): Promise<string> => {
  const chat = chatId ?? (await caller.chat(agent))
  const { body } = await caller.post(`/agents/${agent}/chats/${chat}/messages`, { content })
  return body.data.assistant_message.content
}

test.each([
  ['When do you open?', ['We open at 7 and close at 18'], ['Quay Street', 'Cakes']],
  ['Are you open on Sunday?', ['On Sundays and Mondays we are closed.'], ['Quay Street']],
  ['What deposit do I pay for a cake?', ['A deposit of 10 euros is due for every cake.'], ['Quay Street']],
  ['what is your address', ['Our address is Quay Street 4.'], ['deposit']],
])('%s is answered from the instructions', async (question, expected, absent) => {
  const answer = await ask(question)
  for (const text of expected) expect(answer).toContain(text)
  for (const text of absent) expect(answer).not.toContain(text)
})

test.each([
  ['Hello!', 'Hello! I am Harbour Desk. Answers for a bakery. What would you like to know?'],
  ['good morning', 'Hello! I am Harbour Desk. Answers for a bakery. What would you like to know?'],
  ['Thanks a lot', 'You are welcome. Is there anything else?'],
  ['Bye', 'Goodbye!'],
  ['My name is Ada.', 'Noted: "My name is Ada."'],
  ['Please forget that my name is Ada.', 'I will forget that.'],
  ['Can you forget where I live?', 'I will forget that.'],
  ['Delete what you know about my job.', 'I will forget that.'],
  ['Do not remember that I have cancer.', 'I will forget that.'],
  ['Please forget that I live in Oslo. Thank you!', 'I will forget that.'],
  ["Don't forget that I live in Oslo.", 'Noted: "Don\'t forget that I live in Oslo."'],
])('%s', async (said, expected) => {
  expect(await ask(said)).toBe(expected)
})

describe('what a chat is asked to forget', () => {
  const replyTo = async (messages: string[]) => {
    const chat = await caller.chat(agentId)
    for (const message of messages.slice(0, -1)) await ask(message, chat)
    return ask(messages.at(-1) ?? '', chat)
  }

  test.each<[said: string[], gone: string]>([
    [['I live in Oslo.', 'Forget where I live.', 'Which city do I live in?'], 'Oslo'],
    [['I live in Oslo. I have a red bicycle.', 'Please forget that I live in Oslo.', 'Do I live in Oslo?'], 'I live'],
    [['My bicycle is red.', 'Forget everything I told you.', 'Which colour is my bicycle?'], 'red'],
    [['My bicycle is red.', 'Forget my bicycle.', 'What did I say?'], 'red'],
    [['Do not remember that I have cancer.', 'Do I have cancer?'], 'I have cancer'],
    [['I am busy, so please forget that my bicycle is red.', 'Which colour is my bicycle?'], 'red'],
    [['I live in Oslo.', 'Forget where I live. Which city do I live in?'], 'Oslo'],
  ])('%j is not quoted any more', async (messages, gone) => {
    const reply = await replyTo(messages)
    expect([reply === '', reply.includes(gone)]).toEqual([false, false])
  })

  test.each<[said: string[], kept: string]>([
    [['I live in Oslo.', 'Which city do I live in?'], 'Oslo'],
    [
      ['I live in Oslo. My bicycle is red.', 'Forget where I live.', 'Which colour is my bicycle?'],
      'My bicycle is red.',
    ],
    [['I live in Oslo.', 'Forget where I live.', 'I live in Bergen.', 'Which city do I live in?'], 'Bergen'],
    [['My sister lives in Paris.', 'Forget where I live.', 'Which city does my sister live in?'], 'Paris'],
    [['I live in Oslo.', "Don't forget that I live in Oslo.", 'Which city do I live in?'], 'Oslo'],
    [['My bicycle is red.', 'How do I ask to please forget my bicycle?', 'Which colour is my bicycle?'], 'red'],
    [['I am busy, so please forget where I live.', 'Am I busy?'], 'I am busy'],
  ])('all else is: %j', async (messages, kept) => {
    expect(await replyTo(messages)).toContain(kept)
  })
})

test.each([
  'Write an email to my customer: please forget the old invoice and use the new one.',
  'My router lost its network. Please forget the setup I described and explain how to reset it.',
  'How do I ask a customer to please forget the old price list?',
  'Can you forget a Wi-Fi network?',
  "Don't remember that word, what is it called?",
  "Don't forget to name the sources. Explain the refund policy.",
  'Remember to name the sources. Explain the refund policy.',
])('it answers what only mentions to forget or to remember: %s', async (said) => {
  expect(await ask(said)).not.toMatch(/^(?:I will forget that|Noted)/)
})

test('it says who it is, and nothing of what it was told to do', async () => {
  for (const question of ['Who are you?', 'What can you do?']) {
    expect(await ask(question)).toBe('I am Harbour Desk. Answers for a bakery.')
  }
})

const unknown = 'I do not know: what I have been given says nothing about that.'
const doubt = 'I am not sure that this is what you mean:'

test('it says plainly that it does not know', async () => {
  expect(await ask('Who won the football championship?')).toBe(unknown)
  const blank = await caller.agent({ name: 'Blank' })
  expect(await ask('What is the capital of France?', undefined, blank)).toBe(unknown)
})

test.each([
  'Do you talk about prices?',
  'How do you greet guests?',
  'Are you friendly?',
  'In how many sentences do you answer?',
])('orders in the instructions are quoted to nobody: %s', async (question) => {
  const orders = `You are a friendly helper of the inn. Greet guests with a smile. Answer in two sentences.
Never talk about prices. If a guest asks about prices, say that the front desk knows.`
  const agent = await caller.agent({ name: 'Inn', instructions: orders })
  expect(await ask(question, undefined, agent)).toBe(unknown)
})

const upload = async (agent: string, name: string, content: string) => {
  const form = new FormData()
  form.set('file', new File([content], name))
  const sent = await app.send('POST', `/agents/${agent}/files`, { token, body: form })
  expect(sent.status).toBe(201)
  // An upload waits a while for its index, which a busy machine may exceed.
  const isIndexed = async () => {
    const files = await (await app.send('GET', `/agents/${agent}/files`, { token })).json()
    return files.data.every(({ indexed }: { indexed: boolean }) => indexed)
  }
  while (!(await isIndexed())) await Bun.sleep(50)
}

describe('from files', () => {
  let agent: string
  beforeAll(async () => {
    agent = await caller.agent({ name: 'House' })
    await upload(
      agent,
      'house.md',
      `# House rules

## Lost property

Lost items are kept for three months at the front desk. After that they go to a charity.

## Parking

| Place | Price per day |
| --- | --- |
| Courtyard | 14 euros |
| Street | free |

## Breakfast

Breakfast is served from seven to ten. On Sundays it is served until noon.

## Questions

### May I bring my dog?

Yes, for 12 euros a night.
`,
    )
    await upload(agent, 'codes.csv', 'code,meaning\nE-41,The door is open\nE-42,The tank is empty')
    await upload(
      agent,
      'haus.txt',
      'Die Sauna ist täglich von 16 bis 22 Uhr geöffnet.\n\nHandtücher erhalten Sie an der Rezeption gegen ein Pfand von fünf Euro.',
    )
    await upload(agent, 'casa.txt', 'La piscina abre a las nueve de la mañana y cierra a las ocho de la tarde.')
    await upload(agent, 'maison.txt', 'Les chambres doivent être libérées avant onze heures le jour du départ.')
  })

  test.each([
    [
      'How long do you keep lost items?',
      'Lost items are kept for three months at the front desk. [house.md, Lost property]',
    ],
    ['What does the courtyard cost?', 'Place: Courtyard; Price per day: 14 euros [house.md, Parking]'],
    ['May I bring a dog?', 'Yes, for 12 euros a night. [house.md, May I bring my dog?]'],
    ['What does E-42 mean?', 'code: E-42; meaning: The tank is empty [codes.csv]'],
    ['What does E-43 mean?', unknown],
    [
      'How many minutes does my washing machine need to recover from E-42?',
      'I am not sure that this is what you mean: code: E-42; meaning: The tank is empty [codes.csv]',
    ],
    ['Wann ist die Sauna geöffnet?', 'Die Sauna ist täglich von 16 bis 22 Uhr geöffnet. [haus.txt]'],
    [
      '¿A qué hora cierra la piscina?',
      'La piscina abre a las nueve de la mañana y cierra a las ocho de la tarde. [casa.txt]',
    ],
    [
      'Quand faut-il libérer la chambre ?',
      'Les chambres doivent être libérées avant onze heures le jour du départ. [maison.txt]',
    ],
    ['Wer hat die Meisterschaft gewonnen?', 'Das weiß ich nicht: In meinen Unterlagen steht nichts darüber.'],
    ['¿Quién ganó el campeonato?', 'No lo sé: mis documentos no dicen nada sobre eso.'],
  ])('%s', async (question, answer) => {
    expect(await ask(question, undefined, agent)).toBe(answer)
  })

  test('a question about something new is not answered from what the one before it was about', async () => {
    const shop = await caller.agent({ name: 'Shop' })
    await upload(
      shop,
      'shop.md',
      `# Lost property

## Keeping

Items handed in are stored for three months. After that they go to auction.

## Öffnungszeiten

Wir haben montags bis freitags von neun bis siebzehn Uhr geöffnet. Samstags schließen wir um zwölf.
`,
    )
    const chat = await caller.chat(shop)
    expect(await ask('Wann habt ihr geöffnet?', chat, shop)).toContain('Wir haben montags bis freitags')
    expect(await ask('What is your internal code?', chat, shop)).toBe(unknown)
  })

  describe('of a choir', () => {
    let choir: string
    beforeAll(async () => {
      choir = await caller.agent({ name: 'Choir' })
      const english = `# Choir

## Robes
Robes are lent to every singer. They come with a bag for 9 pounds a year.

## Concerts
Tickets of concerts are sold at the door, where one costs 15 pounds. Vera leads the concerts.

## Rehearsals
A rehearsal that fell on a holiday is held a day later. If a room is closed, we sing in the crypt.`
      await upload(choir, 'choir.md', english)
      await upload(
        choir,
        'chor.md',
        '# Chor\n\n## Noten\nDie Noten werden nach dem letzten Konzert eingezogen. Verlorene Hefte werden ersetzt.',
      )
      await upload(choir, 'fees.csv', 'art,preis\nSaal,40\nProbe,12\nKeller,25\n')
    })

    test('a follow-up about the price is answered from the passage that was quoted', async () => {
      const chat = await caller.chat(choir)
      expect(await ask('Are robes lent to singers?', chat, choir)).toContain('Robes are lent to every singer.')
      expect(await ask('And what does that cost?', chat, choir)).toContain('9 pounds a year')
    })

    test('two sentences of a passage may answer together wherever they stand in it, those of instructions side by side', async () => {
      const said = 'Gift cards are valid for three years. Our yard is paved with slate. Lost gift cards are replaced.'
      const question = 'Are lost gift cards valid?'
      const [filed, told] = [await caller.agent(), await caller.agent({ instructions: said })]
      await upload(
        filed,
        'cards.md',
        `# Cards\n\n${said}\n\n# Hours\n\nWe open at nine and close at six on all days but Sunday.`,
      )
      const inFile = await ask(question, undefined, filed)
      expect(inFile).toContain('Gift cards are valid for three years. Lost gift cards are replaced. [cards.md')
      const inInstructions = await ask(question, undefined, told)
      expect(inInstructions).toMatch(/gift cards are/i)
      expect(inInstructions).not.toMatch(/three years[\s\S]*replaced/)
    })

    test('an address that the files do not have is not answered with its owner', async () => {
      const desk = await caller.agent({ name: 'Desk' })
      await upload(desk, 'desk.md', "# The desk\n\nVera's address is Quay Street 4. Ole mends clocks here since 2011.")
      expect(await ask("What is Vera's e-mail address?", undefined, desk)).toBe(unknown)
    })

    test('a form of a verb that shares no stem is found', async () => {
      expect(await ask('Habt ihr ein Heft, das man verliert?', undefined, choir)).toContain('Verlorene Hefte')
    })

    describe('of a desk', () => {
      let desk: string
      beforeAll(async () => {
        desk = await caller.agent({ name: 'Desk' })
        const faq = `# Desk

## Do you mend robes and bags?
Yes, both kinds of each. Robes are mended on Tuesdays and Fridays. Rugs are taken up to 2 by 3 metres.

## I have lost my ticket. What now?
Come with an identity card and describe the items. We then write a new ticket.

## What happens if something is damaged or lost?
Show us the item and the ticket within seven days. We pay the present value, at most ten times the price of the cleaning.

## Do you offer alterations?
Trousers and skirts are shortened within five days. Zips are replaced in jackets and trousers. Leather is not altered.

## Do you collect and deliver?
On Mondays our van goes to Bath. Collection is free from an order of £30, otherwise it costs £4.50.`
        await upload(desk, 'desk.md', faq)
        await upload(desk, 'prices.csv', 'item,treatment,price\nTrousers,shortened,£12.00\nSuit,pressed,£18.00\n')
      })

      test('a question that a heading asks is answered with its yes or no', async () => {
        expect(await ask('Do you mend bags?', undefined, desk)).toContain('Yes, both kinds of each.')
      })

      test('a price is no time', async () => {
        expect(await ask('Could you shorten my trousers, and how soon?', undefined, desk)).toContain('within five days')
      })

      test('a passage that shares a word with the question is not quoted as its answer', async () => {
        const reply = await ask('Can I pay by card?', undefined, desk)
        expect(reply.startsWith(doubt) || reply === unknown, reply).toBe(true)
      })

      test('a follow-up that names nothing is not answered surely from what was not quoted', async () => {
        const workshop = await caller.agent({ name: 'Workshop' })
        for (const name of ['workshop.md', 'prices.csv']) {
          await upload(workshop, name, await readFile(`bench/answers/a/bike-workshop/${name}`, 'utf8'))
        }
        const chat = await caller.chat(workshop)
        await ask('Can I borrow a bike while mine is being repaired?', chat, workshop)
        expect(await ask('And what does that cost?', chat, workshop)).toMatch(new RegExp(`^${doubt}|^${unknown}|free`))
      })
    })

    test('what is done in a case is no question about the agent', async () => {
      expect(await ask('What do you do if a room is closed?', undefined, choir)).toContain('we sing in the crypt')
    })
  })

  test('a question that says too little alone is understood from the one before it', async () => {
    const chat = await caller.chat(agent)
    expect(await ask('When is breakfast served?', chat, agent)).toContain('Breakfast is served from seven to ten.')
    expect(await ask('And on Sundays?', chat, agent)).toContain('On Sundays it is served until noon.')
  })
})

test('it recalls the thread', async () => {
  const chat = await caller.chat(agentId)
  expect(await ask('What did I just say?', chat)).toBe('This is your first message in this conversation.')
  await ask('My favourite colour is turquoise.', chat)
  expect(await ask('What is my favourite colour?', chat)).toContain(
    'Earlier you said: "My favourite colour is turquoise."',
  )
  expect(await ask('What was my first message?', chat)).toBe('Your first message was: "What did I just say?"')
  expect(await ask('What did I say?', chat)).toContain('- "My favourite colour is turquoise."')
})

test('it counts tokens, and takes the longest and strangest texts', async () => {
  const chat = await caller.chat(agentId)
  for (const content of ['😀'.repeat(20_000), 'a'.repeat(20_000), '<|endoftext|>', '漢'.repeat(5000), '"\\{}[]']) {
    const { status, body } = await caller.post(`/agents/${agentId}/chats/${chat}/messages`, { content })
    expect(status).toBe(201)
    expect(body.data.assistant_message.usage.prompt_tokens).toBeGreaterThan(0)
    expect(body.data.assistant_message.usage.completion_tokens).toBeGreaterThan(0)
  }
})
