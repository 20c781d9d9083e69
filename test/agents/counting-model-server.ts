import type { Received } from './fake-model-server.ts'

/** How the counting server writes and what it says of it. */
export interface Writing {
  /** Tokens of each response, as far as `max_tokens` allows. */
  writes: number
  /** Calls of the first tool in each response, where it may call one. */
  calls: number
  /** Whether it says how much it took. */
  says: boolean
  /** Whether it calls no tools where it is told not to. */
  obeys: boolean
}

interface Taken {
  prompt: number
  completion: number
  asked: Received
}

const tokens = (value: unknown) => Math.ceil((typeof value === 'string' ? value : JSON.stringify(value)).length / 4)

/** The contents of a prompt and the descriptions of its tools. */
const promptTokens = ({ messages, tools = [] }: Received) =>
  messages.reduce((sum, { content, tool_calls: calls }) => sum + tokens(content ?? '') + tokens(calls ?? ''), 0) +
  (tools.length > 0 ? tokens(tools) : 0)

const event = (data: object) => `data: ${JSON.stringify({ id: 'x', created: 1, model: 'counting', ...data })}\n\n`

/**
 * An OpenAI-compatible server that counts a token for four characters and obeys `max_tokens`: it writes as much as it
 * may, and calls a tool as long as it may.
 */
export function countingModelServer() {
  const writing: Writing = { writes: 100_000, calls: 4, says: true, obeys: true }
  const taken: Taken[] = []
  const answer = async (request: Request): Promise<Response> => {
    const asked: Received = await request.json()
    const [tool] = asked.tools ?? []
    const isTold = asked.tool_choice === 'none' && writing.obeys
    const calls = tool && !isTold ? writing.calls : 0
    const most = Math.min(writing.writes, asked.max_tokens ?? 100_000)
    const toolCalls = Array.from({ length: calls }, (_, index) => ({
      index,
      id: `call_${index}`,
      type: 'function',
      function: { name: tool?.function.name, arguments: '{}' },
    }))
    const content = 'word'.repeat(Math.max(0, most - (calls > 0 ? tokens(toolCalls) : 0)))
    const completion = tokens(content) + (calls > 0 ? tokens(toolCalls) : 0)
    const prompt = promptTokens(asked)
    taken.push({ prompt, completion, asked })
    const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
    const said = writing.says ? { usage } : {}
    const finish = calls > 0 ? 'tool_calls' : 'stop'
    const message = { role: 'assistant', content, ...(calls > 0 && { tool_calls: toolCalls }) }
    if (!asked.stream) {
      const choices = [{ index: 0, message, finish_reason: finish }]
      return Response.json({ id: 'x', object: 'chat.completion', created: 1, model: 'counting', choices, ...said })
    }
    const written =
      event({ choices: [{ index: 0, delta: message, finish_reason: null }] }) +
      event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }) +
      (writing.says ? event({ choices: [], usage }) : '')
    return new Response(`${written}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } })
  }
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  return {
    writing,
    taken,
    /** All that it took in and wrote. */
    total: () => taken.reduce((sum, { prompt, completion }) => sum + prompt + completion, 0),
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    stop: () => server.stop(true),
  }
}
