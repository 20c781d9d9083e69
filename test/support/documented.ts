import { ApiError, type ErrorName } from '../../src/api/errors/api-error.ts'
import { openApiDocument } from '../../src/api/openapi/document.ts'
import type { OpenApiDocument, OperationObject } from '../../src/api/openapi/types.ts'
import { operationsOf } from '../../src/api/operations.ts'
import { restRouter } from '../../src/router.ts'

let made: { document: OpenApiDocument; routes: [path: RegExp, path: string][] } | undefined

/** The description, and the paths of procedures, those with the fewest parameters first. */
function description() {
  if (made) return made
  const document = openApiDocument(restRouter, '/')
  const paths = operationsOf(restRouter).map(({ path }) => path)
  const inOrder = paths.sort((a, b) => a.split('{').length - b.split('{').length)
  made = { document, routes: inOrder.map((path) => [new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), path]) }
  return made
}

function operationAt(method: string, path: string): OperationObject | undefined {
  const { document, routes } = description()
  const item = document.paths[routes.find(([pattern]) => pattern.test(path))?.[1] ?? '']
  return item?.[method.toLowerCase()]
}

const hole = '\0'

/** Whether a text is that of an error, whatever fills it, and also where nobody knows what became of a change. */
const isTextOf = (code: string, message: string) =>
  [false, true].some((outcomeUnknown) => {
    const text = new ApiError(code as ErrorName, { detail: hole, outcomeUnknown }).message
    return new RegExp(`^${text.split(hole).map(RegExp.escape).join('[^]*')}$`).test(message)
  })

/** The names of the errors that an operation's description has for a status. */
function namesOf({ responses }: OperationObject, status: number): string[] {
  const given = responses[status]
  const response =
    given && '$ref' in given ? description().document.components.responses[given.$ref.split('/').at(-1) ?? ''] : given
  return Object.keys(response?.content?.['application/json']?.examples ?? {})
}

/**
 * Throws when an operation refuses with an error that its description has not: `errors` of its metadata names those
 * that are neither of its gates nor of its ids.
 */
export async function requireDocumented(method: string, url: string, response: Response): Promise<void> {
  const { status } = response
  if (status < 400) return
  const path = url.replace(/[?#].*$/, '')
  const operation = operationAt(method, path)
  if (!operation || status === 431) return
  const body = await response.clone().text()
  const read = response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(body) : {}
  const message: unknown = read?.error?.message ?? read?.message
  const names = namesOf(operation, status)
  if (typeof message === 'string' && names.some((name) => isTextOf(name, message))) return
  throw new Error(
    `${method} ${path} answered ${status} ${body}, which its description has not (${names}): name the error in its metadata (errors)`,
  )
}
