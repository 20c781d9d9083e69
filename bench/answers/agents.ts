import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { clientOf } from '../client.ts'
import { questionsFile } from './questions.ts'

const Created = z.object({ data: z.object({ id: z.string() }) })
const Files = z.object({ data: z.array(z.object({ indexed: z.boolean() })) })
const Turn = z.object({ data: z.object({ assistant_message: z.object({ content: z.string() }) }) })

/** Calls a server as the owner of its agents does. */
export function agentsOf(url: string, key: string) {
  const { call, post } = clientOf(url, key)
  return {
    async newAgent(name: string, folder: string): Promise<string> {
      const agent = Created.parse(await post('/agents', { name })).data.id
      for (const file of (await readdir(folder)).filter((each) => each !== questionsFile)) {
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
