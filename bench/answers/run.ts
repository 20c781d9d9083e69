import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readEnv } from '../../src/app/env.ts'
import { startServer } from '../../src/app/server.ts'
import { phrasesIn } from '../../src/language-model/local/phrases.ts'
import { clientOf } from '../client.ts'

/** A question as a customer asks it, and what tells how good the reply is. */
const Question = z.strictObject({
  kind: z.enum(['direct', 'other words', 'figures', 'code', 'verb form', 'follow-up', 'absent']),
  /** Sent first in the same chat. */
  before: z.string().optional(),
  question: z.string(),
  /** All of these are in a right reply, each in one of its forms (`a|b`); null: the files do not say. */
  right: z.array(z.string()).nullable(),
  /** One of these in a reply that is not right and has no doubt states something wrong as the answer. */
  misleading: z.array(z.string()),
})
type Question = z.infer<typeof Question>

const outcomes = ['right', 'right, in doubt', 'wrong', 'misleading', 'does not know'] as const
type Outcome = (typeof outcomes)[number]

/**
 * The sets: the first two and `e` were looked at while the model was changed, of the others the figures are seen; of `f` also what
 * was quoted wrongly. The agents of the last three have one short text each.
 */
const sets = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const
export type AnswerSet = (typeof sets)[number]
const languages = ['en', 'de', 'es', 'fr'] as const

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Whether a reply says something; a number only as a whole one. */
function says(reply: string, words: string): boolean {
  const begins = /^\d/.test(words) ? '(?<!\\d|\\d[.,:])' : ''
  const ends = /\d$/.test(words) ? '(?!\\d|[.,:]\\d)' : ''
  return new RegExp(`${begins}${escaped(words)}${ends}`, 'iu').test(reply)
}

function outcomeOf(reply: string, { right, misleading }: Question): Outcome {
  const phrases = languages.map(phrasesIn)
  if (phrases.some(({ unknown }) => reply === unknown)) return right === null ? 'right' : 'does not know'
  const isDoubtful = phrases.some(({ closest }) => reply.startsWith(closest))
  if (right?.every((forms) => forms.split('|').some((form) => says(reply, form)))) {
    return isDoubtful ? 'right, in doubt' : 'right'
  }
  return !isDoubtful && misleading.some((words) => says(reply, words)) ? 'misleading' : 'wrong'
}

const Created = z.object({ data: z.object({ id: z.string() }) })
const Files = z.object({ data: z.array(z.object({ indexed: z.boolean() })) })
const Turn = z.object({ data: z.object({ assistant_message: z.object({ content: z.string() }) }) })

/** Calls a server as the owner of its agents does. */
function client(url: string, key: string) {
  const { call, post } = clientOf(url, key)
  return {
    async newAgent(name: string, folder: string): Promise<string> {
      const agent = Created.parse(await post('/agents', { name })).data.id
      for (const file of (await readdir(folder)).filter((each) => each !== 'questions.json')) {
        const body = new FormData()
        body.set('file', new File([await readFile(join(folder, file))], file))
        await call(`/agents/${agent}/files`, { method: 'POST', body })
      }
      const isIndexed = async () =>
        Files.parse(await call(`/agents/${agent}/files`)).data.every(({ indexed }) => indexed)
      while (!(await isIndexed())) await Bun.sleep(100)
      return agent
    },
    async ask(agent: string, messages: readonly string[]): Promise<string> {
      const chat = Created.parse(await post(`/agents/${agent}/chats`, {})).data.id
      let reply = ''
      for (const content of messages) {
        const turn = Turn.parse(await post(`/agents/${agent}/chats/${chat}/messages`, { content }))
        reply = turn.data.assistant_message.content
      }
      return reply
    },
  }
}

/** Asks agents of small businesses what their customers ask, and answers a table of how good the replies are. */
export async function answerQuality(scratch: string, say: (text: string) => void, wanted: readonly AnswerSet[] = sets) {
  const key = `bench-${crypto.randomUUID()}`
  const limits = { RATE_LIMIT_PER_MINUTE: '0', TURN_RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'silent' }
  const server = await startServer(
    readEnv({ DATA_DIR: join(scratch, 'answers'), PORT: '0', ADMIN_API_KEY: key, ...limits }),
  )
  const { newAgent, ask } = client(server.url, key)
  const counts = new Map<string, number>()
  const lines = [
    `| built-in model, through the API | ${outcomes.join(' | ')} |`,
    `|---|${'---|'.repeat(outcomes.length)}`,
  ]
  try {
    for (const set of wanted) {
      let total = 0
      const home = join(import.meta.dirname, set)
      for (const name of (await readdir(home)).toSorted()) {
        const folder = join(home, name)
        const questions = z.array(Question).parse(JSON.parse(await readFile(join(folder, 'questions.json'), 'utf8')))
        const agent = await newAgent(name, folder)
        for (const question of questions) {
          const messages = [...(question.before === undefined ? [] : [question.before]), question.question]
          const reply = await ask(agent, messages)
          const outcome = outcomeOf(reply, question)
          counts.set(`${set} ${outcome}`, (counts.get(`${set} ${outcome}`) ?? 0) + 1)
          say(`${outcome.padEnd(16)}${name}: ${messages.join(' / ')}\n                  ${reply.replaceAll('\n', ' ')}`)
          total += 1
        }
      }
      const cells = outcomes.map((outcome) => String(counts.get(`${set} ${outcome}`) ?? 0))
      lines.push(`| set ${set.toUpperCase()} (${total}) | ${cells.join(' | ')} |`)
    }
  } finally {
    await server.stop()
  }
  return lines.join('\n')
}
