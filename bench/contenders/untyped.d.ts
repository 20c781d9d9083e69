/** The little of Express and pg that the comparison uses; neither package carries its types. */
declare module 'express' {
  export interface Request {
    headers: Record<string, string | undefined>
    params: Record<string, string>
    body: unknown
  }
  export interface Response {
    status(code: number): Response
    json(body: unknown): void
  }
  type Handler = (request: Request, response: Response) => void | Promise<void>
  interface Application {
    use(handler: unknown): void
    get(path: string, handler: Handler): void
    post(path: string, handler: Handler): void
    listen(port: number, host: string, ready: () => void): { address(): { port: number } }
  }
  const express: { (): Application; json(): unknown }
  export default express
}

declare module 'pg' {
  class Pool {
    constructor(options: { connectionString: string; max: number })
  }
  const pg: { Pool: typeof Pool }
  export default pg
}
