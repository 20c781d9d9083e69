import type { OpenApiMeta } from 'trpc-to-openapi'
import type { z } from 'zod'
import type { Account, Feature } from '../accounts/account.ts'
import type { Json } from '../json/object.ts'
import type { AccountContext, RequestContext } from './context.ts'
import type { DocumentStyle, ErrorName } from './errors/api-error.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call: anyone, any token, or an operator's token. */
export type Access = 'public' | 'token' | 'operator'

/** What a procedure says of itself; routes, gates and the OpenAPI document all read this. */
export interface OperationMeta {
  openapi?: OpenApiMeta['openapi']
  access?: Access
  document?: DocumentStyle
  /** Whether it reads or writes, where its method does not say so: a POST may read. */
  permission?: 'read' | 'write'
  feature?: Feature
  /**
   * Generation endpoints have a limit of their own (contract: server 12); a website's visitors, who have no token, are
   * counted against it by the `public_key` in the path and their address (contract: widget 8).
   */
  rate?: 'turn' | 'visitor'
  /** Success status, 200 unless said. */
  status?: 200 | 201
  /**
   * Procedures that read what this one writes: with an If-Match that names none of their current tags it is refused.
   */
  matches?: readonly string[]
  /** Further methods that do the same. */
  also?: HttpMethod[]
  /** Further paths, for clients that insist on them; the description leaves them out. */
  aliases?: `/${string}`[]
  /**
   * The 404 that a malformed or unknown id in the path gets: its resource's own (contract: rest 6); routers say what
   * `namedInPaths` does not.
   */
  ids?: Record<string, ErrorName>
  /**
   * The error for a file field that holds something else, instead of a 422, and for a form that cannot be read
   * (contract: profile 8).
   */
  uploads?: Record<string, ErrorName>
  /** The error of a field's own rule, before any 422 for the rest of the input (contract: rest 7). */
  refuses?: Record<string, ErrorName>
  /** For whom fields of the input count; from others they are ignored (contract: accounts 7). */
  honours?: Record<string, (account: Account) => boolean>
  /**
   * What is left of a refused input without what it repeats as the resource shows it, which is checked in its place;
   * undefined where it repeats nothing of what was refused.
   */
  withoutUnchanged?: (
    ctx: AccountContext,
    input: Json,
    issues: readonly z.core.$ZodIssue[],
  ) => Promise<Json | undefined>
  /** Errors of the catalogue that this operation can respond with besides those of its gates and ids. */
  errors?: ErrorName[]
  /** Replaces the first text as `message` of validation errors. */
  validationMessage?: string
  /**
   * The checks of what a public operation's path names. One that has them takes an `Idempotency-Key` of callers without
   * a token: what was kept passes them again.
   */
  admits?: (ctx: RequestContext, named: Record<string, unknown>) => Promise<unknown>
  /** Whose an `Idempotency-Key` without a token is, by what was sent with it; of nobody, it does not count. */
  keyHolder?: (ctx: RequestContext, sent: { input: Record<string, unknown>; key: string }) => string | undefined
  /**
   * Refuses what was kept of a success, made under this `idempotencyId`, to who may no longer read it
   * (contract: rest 22).
   */
  beforeReplay?: (ctx: AccountContext, madeAs: string) => Promise<void>
  /** Goes beyond the two original APIs (contract: rest 29). */
  extension?: boolean
  /** The `message` of the success body, also in the description. */
  message?: string
  /** Examples of the request body, and of the success body or parts of it: the rest is made from the schema. */
  example?: { request?: unknown; response?: unknown }
  /** Responds with bytes instead of JSON. */
  download?: boolean
  /** Takes multipart/form-data: beside JSON, or alone where its input needs a file. */
  multipart?: boolean
  /** Also responds with a stream of events, to callers who ask for `text/event-stream`. */
  streams?: boolean
  /** What a subscription sends. */
  events?: z.ZodType
}

/** Who may call it comes from the kind of procedure alone. */
export interface OperationOptions extends Omit<OperationMeta, 'openapi' | 'access'> {
  tag: string
  description?: string
}

/** The 404 of what a path's parameter names, wherever it has that name. */
const namedInPaths: Record<string, ErrorName> = {
  assistantId: 'assistant_not_found',
  conversationId: 'conversation_not_found',
  entryId: 'version_not_found',
  agent_id: 'agent_not_found',
  chat_id: 'chat_not_found',
  file_id: 'file_not_found',
  connector_id: 'connector_not_found',
}

const idsIn = (path: string) =>
  Object.fromEntries(Object.entries(namedInPaths).filter(([name]) => path.includes(`{${name}}`)))

const operation =
  (method: HttpMethod) =>
  (path: `/${string}`, summary: string, options: OperationOptions): OperationMeta => {
    const { tag, description, ...meta } = options
    return {
      ...meta,
      ids: { ...idsIn(path), ...meta.ids },
      openapi: {
        method,
        path,
        summary,
        tags: [tag],
        ...(description && { description }),
        ...(meta.multipart && { contentTypes: ['multipart/form-data', 'application/json'] }),
      },
    }
  }

/** `.meta(get('/assistants', 'List assistants', {...}))`: the operation's REST face in one line. */
export const get = operation('GET')
export const post = operation('POST')
export const put = operation('PUT')
export const patch = operation('PATCH')
export const del = operation('DELETE')
