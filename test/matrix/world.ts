import type { Operation } from '../../src/api/operations.ts'
import { newTokenFor, newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { changeUser } from '../support/rows/accounts.ts'

/** Everyone who calls in the matrix: `owner` has the resources. */
export interface World {
  app: TestApp
  owner: TestUser
  /** Of the owner's workspace. */
  viewer: TestUser
  /** Of the owner's reseller, in another workspace. */
  resellerAdmin: TestUser
  operator: TestUser
  /** Of another workspace of the owner's reseller. */
  neighbour: TestUser
  otherReseller: TestUser
  otherResellerAdmin: TestUser
  unverified: TestUser
  withoutFeatures: TestUser
  /** Operators, so that nothing but the token is wrong. */
  expired: string
  suspended: string
  /** What a request as the owner answers; throws when it does not succeed. */
  make(method: string, path: string, body?: unknown, as?: TestUser): Promise<Made>
}

/** An answer's `data`, as far as factories need it. */
export interface Made {
  [key: string]: unknown
}

export async function createWorld(externals: Parameters<typeof testApp>[0] = {}): Promise<World> {
  const app = await testApp({ allowPrivateNetwork: ['127.0.0.1'], ...externals })
  const { database } = app
  const owner = await newUser(database)
  const { resellerId, workspaceId } = owner
  const operator = await newUser(database, { role: 'admin' })
  const suspended = await newUser(database, { role: 'admin' })
  await changeUser(database, suspended.userId, { status: 'suspended' })
  return {
    app,
    owner,
    viewer: await newUser(database, { workspaceId, resellerId, workspaceRole: 'viewer' }),
    resellerAdmin: await newUser(database, { resellerId, role: 'reseller_admin' }),
    operator,
    neighbour: await newUser(database, { resellerId }),
    otherReseller: await newUser(database),
    otherResellerAdmin: await newUser(database, { role: 'reseller_admin' }),
    unverified: await newUser(database, { role: 'admin', emailVerified: false }),
    withoutFeatures: await newUser(database, { role: 'admin', features: [] }),
    expired: await newTokenFor(database, operator.userId, new Date(Date.now() - 1000)),
    suspended: suspended.token,
    async make(method, path, body, as = owner) {
      const answer = await app.send(method, path, { token: as.token, body })
      const read = await answer.json()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(read)}`)
      return read.data
    },
  }
}

/** The same world, in which somebody else is the owner of what is made. */
export const worldOf = (world: World, owner: TestUser): World => ({
  ...world,
  owner,
  make: (method, path, body, as = owner) => world.make(method, path, body, as),
})

export type Input = Record<string, unknown>
export type Face = 'rest' | 'trpc'

/** The answer of either face, brought to the same form. */
export interface Answer {
  status: number
  body: unknown
}

export const pathWith = (operation: Operation, params: Input) =>
  operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])))

const query = (input: Input) => {
  const text = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** Calls an operation as its REST face has it, with its first method. */
async function callRest(
  { app }: World,
  operation: Operation,
  params: Input,
  input: Input,
  token?: string,
  headers?: Record<string, string>,
): Promise<Answer> {
  const [method = 'GET'] = operation.methods
  const path = pathWith(operation, params)
  const reads = method === 'GET' || method === 'DELETE'
  const hasFile = Object.values(input).some((value) => value instanceof Blob)
  const form = () => {
    const made = new FormData()
    for (const [name, value] of Object.entries(input)) made.set(name, value instanceof Blob ? value : String(value))
    return made
  }
  const body = reads ? undefined : hasFile ? form() : input
  const answer = await app.send(method, reads ? path + query(input) : path, { token, body, headers })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return { status: answer.status, body: isJson ? JSON.parse(text) : text }
}

/** Calls an operation as tRPC, one flat input; a refusal is read from `data.httpStatus` and `data.body`. */
async function callTrpc(
  { app }: World,
  { name, type }: Operation,
  params: Input,
  input: Input,
  token?: string,
  headers?: Record<string, string>,
): Promise<Answer> {
  const flat = { ...params, ...input }
  const answer =
    type === 'query'
      ? await app.send('GET', `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(flat))}`, { token, headers })
      : await app.send('POST', `/trpc/${name}`, { token, body: flat, headers })
  const read = await answer.json()
  if (read.error === undefined) return { status: answer.status, body: read.result.data }
  const { httpStatus, body } = read.error.data
  if (httpStatus !== answer.status) throw new Error(`httpStatus ${httpStatus} in an answer of status ${answer.status}`)
  return { status: httpStatus, body }
}

export const callOn = (face: Face) => (face === 'rest' ? callRest : callTrpc)
