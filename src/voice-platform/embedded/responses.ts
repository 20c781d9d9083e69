/** An error response of the embedded platform, in the real one's shape. */
export class PlatformResponse extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, body: object) {
    super(`status ${status}`)
    this.status = status
    this.body = body
  }
}

/** 400; an array of texts for validation, one text for a business rule. */
export const badRequest = (message: string[] | string) =>
  new PlatformResponse(400, { message, error: 'Bad Request', statusCode: 400 })

/** 401 with the platform's own text. */
export const unauthorized = () =>
  new PlatformResponse(401, {
    message: 'Invalid Key. Hot tip, you may be using the private key instead of the public key, or vice versa.',
    error: 'Unauthorized',
    statusCode: 401,
  })

/** 404 for an object that is not there. */
export const notFound = (message: string) => new PlatformResponse(404, { message, error: 'Not Found', statusCode: 404 })

/** The response of an error; what is not a {@link PlatformResponse} is a 500 that tells nothing. */
export function responseOf(error: unknown): Response {
  if (error instanceof PlatformResponse) return Response.json(error.body, { status: error.status })
  return Response.json({ message: 'Internal server error', statusCode: 500 }, { status: 500 })
}
