import { isObject } from '../../../json/object.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { AskReceiver, WebhookQuestion } from '../../../webhooks/message.ts'
import { textOf } from '../../mapping/settings.ts'
import type { Line, Member } from '../conversation/line.ts'
import { type AskTool, type Tool, type ToolCall, toldToModel } from '../conversation/tools.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { addressOf, firstServer, messagesAbout, selects, type TellableCall } from './messages.ts'

/** A tool has less time than the reply that it is used for. */
const maxToolSeconds = 10
const assistantRequestSeconds = 7.5
const maxResultLength = 8_000

/** Asks the servers of a call; what it needs for that. */
export interface Questions {
  ask: AskReceiver
  clock: Clock
}

type Server = Record<string, unknown>

/** The server that a function is asked of: its own, the assistant's, the number's. The last two want to be asked. */
function serverOf(tool: Tool, { assistant }: Member, { phoneNumber }: Line): Server | undefined {
  const own = firstServer(tool.server)
  if (own || !selects(assistant, 'tool-calls')) return own
  return firstServer(assistant.server, phoneNumber?.body.server)
}

/** The tools of a member that can be used on a line: a function needs a server that works it out. */
export const usableTools = (member: Member, line: Line): Tool[] =>
  member.tools.filter((tool) => toldToModel(tool) && (tool.type !== 'function' || serverOf(tool, member, line)))

type Message = Record<string, unknown>

function question(
  server: Server,
  call: TellableCall,
  line: Line,
  { type, message }: { type: string; message: Message },
): WebhookQuestion {
  return {
    ...addressOf(server),
    type,
    callId: call.id,
    assistantId: textOf(call.body.assistantId),
    phoneNumberId: line.phoneNumber?.id,
    body: { message },
  }
}

const failure = (text: string) => `Error: ${text}`

const shortened = (text: string) => text.slice(0, maxResultLength)

/** What a response to `tool-calls` gives for a call, in the forms that the platform takes. */
function resultOf(body: unknown, { id }: ToolCall): string {
  const results = isObject(body) && Array.isArray(body.results) ? body.results.filter(isObject) : []
  const mine = results.find(({ toolCallId }) => toolCallId === id)
  if (!mine) return failure((isObject(body) && textOf(body.error)) || 'the server gave no result.')
  const error = textOf(mine.error)
  if (error !== undefined) return shortened(failure(error))
  return shortened(typeof mine.result === 'string' ? mine.result : (JSON.stringify(mine.result) ?? ''))
}

/** Asks a function's server with `tool-calls`, and reads the result from its response. */
export const askToolsOf = ({ ask, clock }: Questions, call: TellableCall, line: Line): AskTool => {
  const message = messagesAbout(call, line)
  return async (tool, toolCall, member) => {
    const server = serverOf(tool, member, line)
    if (!server) return failure('the tool has no server.')
    const type = 'tool-calls'
    const fields = {
      toolCallList: [toolCall],
      toolWithToolCallList: [{ ...withoutSecrets(tool), toolCall }],
      timestamp: clock.now().getTime(),
    }
    const asked = question(server, call, line, { type, message: await message({ type, ...fields }, member.assistant) })
    const response = await ask({ ...asked, timeoutSeconds: Math.min(asked.timeoutSeconds, maxToolSeconds) })
    if (tool.async === true) return 'The request was sent.'
    return 'body' in response ? resultOf(response.body, toolCall) : failure(response.error)
  }
}

/** Asks the server of a number who answers a call; undefined when it gives no response. */
export async function requestAssistant(
  { ask, clock }: Questions,
  call: TellableCall,
  line: Line,
): Promise<Record<string, unknown> | undefined> {
  const server = firstServer(line.phoneNumber?.body.server)
  if (!server) return undefined
  const type = 'assistant-request'
  const message = await messagesAbout(call, line)({ type, timestamp: clock.now().getTime() }, undefined)
  const response = await ask({
    ...question(server, call, line, { type, message }),
    timeoutSeconds: assistantRequestSeconds,
  })
  return 'body' in response && isObject(response.body) ? response.body : undefined
}
