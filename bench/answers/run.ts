import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readEnv } from '../../src/app/env.ts'
import { startServer } from '../../src/app/server.ts'
import { phrasesIn } from '../../src/language-model/local/phrases.ts'
import { agentsOf } from './agents.ts'
import { isIn, type Question, questionsIn } from './questions.ts'

const outcomes = ['right', 'right, in doubt', 'wrong', 'misleading', 'does not know'] as const
type Outcome = (typeof outcomes)[number]

/**
 * The sets: the first two and `e` were looked at while the model was changed, of the others the figures are seen; of
 * `f` also what was quoted wrongly. The agents of the last three have one short text each.
 */
const sets = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const
export type AnswerSet = (typeof sets)[number]
const languages = ['en', 'de', 'es', 'fr'] as const

function outcomeOf(reply: string, { right, misleading }: Question): Outcome {
  const phrases = languages.map(phrasesIn)
  if (phrases.some(({ unknown }) => reply === unknown)) return right === null ? 'right' : 'does not know'
  const isDoubtful = phrases.some(({ closest }) => reply.startsWith(closest))
  if (right?.every((forms) => forms.split('|').some((form) => isIn(form, reply)))) {
    return isDoubtful ? 'right, in doubt' : 'right'
  }
  return !isDoubtful && misleading.some((words) => isIn(words, reply)) ? 'misleading' : 'wrong'
}

/** Asks agents of small businesses what their customers ask, and answers a table of how good the replies are. */
export async function answerQuality(scratch: string, say: (text: string) => void, wanted: readonly AnswerSet[] = sets) {
  const key = `bench-${crypto.randomUUID()}`
  const limits = { RATE_LIMIT_PER_MINUTE: '0', TURN_RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'silent' }
  const server = await startServer(
    readEnv({ DATA_DIR: join(scratch, 'answers'), PORT: '0', ADMIN_API_KEY: key, ...limits }),
  )
  const { newAgent, ask } = agentsOf(server.url, key)
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
        const questions = await questionsIn(folder)
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
