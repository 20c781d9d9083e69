import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { z } from 'zod'
import { agentsOf } from '../bench/answers/agents.ts'
import { isIn, questionsIn } from '../bench/answers/questions.ts'
import { clientOf } from '../bench/client.ts'
import { readEnv } from '../src/app/env.ts'
import { startServer } from '../src/app/server.ts'
import { embeddedEmbedder } from '../src/knowledge/embedded-embedder.ts'
import { nearestHeading } from '../src/knowledge/passages/passage.ts'
import { shareEmbedder } from '../src/knowledge/shared-embedder.ts'
import { evidenceOf } from '../src/language-model/local/certainty.ts'
import { judgedFor } from '../src/language-model/local/judged.ts'
import { meaningRanker } from '../src/language-model/local/meaning-ranker.ts'
import { passagesPerTurn } from '../src/resources/files/search.ts'

const Passage = z.object({
  original_name: z.string(),
  text: z.string(),
  score: z.number(),
  heading: z.string().default(''),
})
const Found = z.object({ data: z.array(Passage) })

/**
 * Asks the businesses of a folder what their customers ask, and prints, a line for each question, its sentences: what
 * there is to tell by that each is the one that answers, and whether it does.
 */
async function printEvidence(home: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-evidence-'))
  const key = `evidence-${crypto.randomUUID()}`
  const limits = { RATE_LIMIT_PER_MINUTE: '0', TURN_RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'silent' }
  const env = { DATA_DIR: scratch, PORT: '0', ADMIN_API_KEY: key, ...limits }
  const server = await startServer(readEnv(env))
  const embedder = shareEmbedder(embeddedEmbedder())
  const ranker = meaningRanker(embedder, pino({ level: 'silent' }))
  const { newAgent } = agentsOf(server.url, key)
  const { call } = clientOf(server.url, key)
  try {
    for (const business of (await readdir(home)).toSorted()) {
      const folder = join(home, business)
      const agent = await newAgent(business, folder)
      for (const { kind, question, right } of await questionsIn(folder)) {
        const query = new URLSearchParams({ q: question, limit: String(passagesPerTurn) })
        const { data } = Found.parse(await call(`/agents/${agent}/search?${query}`))
        const passages = data.map(({ original_name: file, text, score, heading }) => {
          return { file, text, score, heading: nearestHeading(heading) }
        })
        const own = { description: null, instructions: null, memory: null, preamble: [], workspaceId: 1 }
        const conversation = { question, earlier: [], toolResults: [] }
        const { judged } = await judgedFor({ ...own, agentName: business, passages }, conversation, ranker)
        // What has the code that is asked for is not for the sum to tell.
        if (judged.length === 0 || judged.some(({ isNamed }) => isNamed)) continue
        const sentences = judged.map((one) => {
          const answers = right?.every((forms) => forms.split('|').some((form) => isIn(form, one.text))) ?? false
          return { answers, evidence: evidenceOf(one, judged) }
        })
        console.log(JSON.stringify({ business, kind, question, answered: right !== null, sentences }))
      }
    }
  } finally {
    embedder.close()
    await server.stop()
    await rm(scratch, { recursive: true, force: true })
  }
}

await printEvidence(process.argv[2] ?? join(import.meta.dirname, 'answers'))
process.exit(0)
