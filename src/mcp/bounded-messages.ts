import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { isObject, type Json } from '../json/object.ts'
import { parsedJson } from '../json/parsed.ts'
import { OutgoingError } from '../outgoing/refusal.ts'
import { storableText } from '../runtime/storable-text.ts'
import { boundedText, boundedTool, isWithin, maxTools } from './bounded-tool.ts'

const maxParts = 100
const maxTextLength = 10_000
/** What is nested deeper takes quadratic time to be written. */
const maxDataDepth = 64
const maxErrorLength = 1_000
const maxNameLength = 1_000
const maxIdLength = 200
const maxVersions = 50
/** A server that sends more before its response is not listened to further. */
const maxEvents = 1_000

const shortText = (max: number) => z.string().max(max).optional().catch(undefined)
const shortName = z.string().transform((text) => boundedText(text, maxNameLength))

/**
 * What the protocol has every result of its newer form say. Nobody here keeps one as long as it says, so that one which
 * does not say it, or something else, is taken as one that must not be kept.
 */
const Common = z.object({
  resultType: z.string().max(maxNameLength).catch('complete'),
  ttlMs: z.int().min(0).catch(0),
  cacheScope: z.enum(['public', 'private']).catch('private'),
})
const Hello = z.object({
  protocolVersion: shortText(maxNameLength),
  supportedVersions: z
    .array(z.unknown())
    .transform((list) => list.slice(0, maxVersions).filter((item) => typeof item === 'string'))
    .optional()
    .catch(undefined),
  capabilities: z
    .object({ tools: z.unknown().optional() })
    .transform(({ tools }) => (isObject(tools) ? { tools: {} } : {}))
    .optional()
    .catch(undefined),
  serverInfo: z.object({ name: shortName, version: shortName }).optional().catch(undefined),
})

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/**
 * What a part says in words: its text, that of the resource in it, or the name and the address of one that is
 * elsewhere.
 */
function wordsOf({ type, text, resource, name, uri }: Json): string {
  if (type === 'resource_link') return [name, uri].filter(isText).join(': ')
  const words = isObject(resource) ? resource.text : text
  return isText(words) ? words : ''
}

/** A part without words by the name of what it is. */
const kindOf = ({ type }: Json): string => (isText(type) && type !== 'text' ? `[${type}]` : '')

/** The JSON of what a tool gave beside its parts; nothing where there is none. */
const structuredText = (value: unknown): string =>
  value === undefined || value === null || !isWithin(value, maxDataDepth) ? '' : JSON.stringify(value)

/** What a tool gave, as texts: its parts and, where none of them has words, what it gave as data. */
function partsOf(content: unknown, structured: unknown): { type: 'text'; text: string }[] {
  const parts = Array.isArray(content) ? content.slice(0, maxParts).filter(isObject) : []
  const texts = parts.map((part) => wordsOf(part) || kindOf(part))
  if (!parts.some(wordsOf)) texts.push(structuredText(structured))
  return texts.filter(isText).map((text) => ({ type: 'text', text: storableText(boundedText(text, maxTextLength)) }))
}

function resultOf(result: Record<string, unknown>): Record<string, unknown> {
  const { tools, nextCursor, content, structuredContent, isError } = result
  const common = Common.parse(result)
  if (Array.isArray(tools)) {
    const kept = tools.slice(0, maxTools).flatMap((tool: unknown) => boundedTool(tool) ?? [])
    return { ...common, tools: kept, nextCursor: shortText(maxNameLength).parse(nextCursor) }
  }
  if (Array.isArray(content) || structuredContent !== undefined) {
    return { ...common, content: partsOf(content, structuredContent), isError: isError === true }
  }
  return { ...common, ...Hello.parse(result) }
}

function errorOf({ code, message, data }: Record<string, unknown>) {
  const supported = isObject(data) ? Hello.shape.supportedVersions.parse(data.supported) : undefined
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? storableText(boundedText(message, maxErrorLength)) : '',
    ...(supported && { data: { supported } }),
  }
}

/**
 * A response of the protocol with what we read of it and no more, so that checking it costs little whatever the
 * server sent; undefined for what is no response: nobody here takes a server's requests and notifications.
 */
function boundedMessage(message: unknown): Record<string, unknown> | undefined {
  if (!isObject(message)) return undefined
  const { id, result, error } = message
  const known = typeof id === 'number' || (typeof id === 'string' && id.length <= maxIdLength) ? id : null
  if (isObject(result)) return { jsonrpc: '2.0', id: known, result: resultOf(result) }
  if (isObject(error)) return { jsonrpc: '2.0', id: known, error: errorOf(error) }
  return undefined
}

/**
 * Texts with one character at the end of each line, in whatever pieces they come: the parser takes quadratic time for a
 * carriage return.
 */
function withLineFeeds(): (text: string) => string {
  let isReturned = false
  return (text) => {
    if (text === '') return ''
    const rest = isReturned && text.startsWith('\n') ? text.slice(1) : text
    isReturned = text.endsWith('\r')
    return rest.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  }
}

/** The ids of events, by which a client asks for the rest of a stream, up to the first response. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const ready: string[] = []
  let events = 0
  let ended = false
  const parser = createParser({
    onEvent({ id, data }) {
      if (ended) return
      if (++events > maxEvents) throw new OutgoingError('too_large')
      const message = data === '' ? undefined : boundedMessage(parsedJson(data))
      ended = message !== undefined
      const named = id !== undefined && id.length <= maxIdLength ? `id: ${id}\n` : ''
      if (named || message) ready.push(`${named}data: ${message ? JSON.stringify(message) : ''}\n\n`)
    },
  })
  const decoder = new TextDecoder()
  const lines = withLineFeeds()
  for await (const chunk of body) {
    parser.feed(lines(decoder.decode(chunk, { stream: true })))
    yield* ready.splice(0)
    if (ended) return
  }
}

const mediaTypeOf = (headers: Headers) => headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()

/**
 * What a tool server sent, made small before anything compiles, checks or prints it.
 * @param failed called when a stream of events breaks
 */
export async function boundedMessages(response: Response, failed: (error: unknown) => void): Promise<Response> {
  const { status, body } = response
  const headers = new Headers()
  const session = response.headers.get('mcp-session-id')
  if (session !== null && session.length <= maxNameLength) headers.set('mcp-session-id', session)
  if (!body) return new Response(null, { status, headers })
  const type = mediaTypeOf(response.headers)
  if (type === 'text/event-stream') {
    headers.set('content-type', type)
    const texts = eventsOf(body)
    const encoder = new TextEncoder()
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await texts.next()
          if (done) controller.close()
          else controller.enqueue(encoder.encode(value))
        } catch (error) {
          failed(error)
          controller.error(error)
        }
      },
      async cancel() {
        await texts.return(undefined)
      },
    })
    return new Response(stream, { status, headers })
  }
  if (type !== 'application/json') {
    await body.cancel()
    return new Response('', { status, headers })
  }
  headers.set('content-type', type)
  const value = parsedJson(await response.text())
  const message = boundedMessage(Array.isArray(value) ? value.find((item) => boundedMessage(item)) : value)
  return new Response(message ? JSON.stringify(message) : '', { status, headers })
}
