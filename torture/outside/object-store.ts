import type { Faults } from '../faults.ts'
import type { Random } from '../random.ts'
import { breakRequest } from './break.ts'
import { type HttpRequest, type HttpResponse, startHttp } from './http.ts'

export const bucket = 'torture'

const missing: HttpResponse = {
  status: 404,
  text: '<?xml version="1.0" encoding="UTF-8"?><Error><Code>NoSuchKey</Code><Message>No such key.</Message></Error>',
  headers: { 'content-type': 'application/xml' },
}

/** An object store of its own that speaks as much of S3 as single objects need, and fails. */
export async function startObjectStore(faults: Faults, random: Random) {
  const objects = new Map<string, string>()

  const perform = ({ method, path, body }: HttpRequest): HttpResponse => {
    const key = decodeURIComponent(path.slice(`/${bucket}/`.length))
    if (method === 'PUT') {
      objects.set(key, body)
      return { status: 200, text: '', headers: { etag: '"torture"' } }
    }
    if (method === 'DELETE') {
      objects.delete(key)
      return { status: 204, text: '' }
    }
    const text = objects.get(key)
    if (text === undefined) return method === 'HEAD' ? { ...missing, text: '' } : missing
    const headers = { etag: '"torture"', 'content-length': String(Buffer.byteLength(text)) }
    return { status: 200, text: method === 'HEAD' ? '' : text, headers }
  }

  const http = await startHttp((request, reply) => {
    const writes = request.method === 'PUT' || request.method === 'DELETE'
    const fault = faults.take('store', (one) => writes || !one.endsWith('after'))
    if (!fault) return reply.send(perform(request))
    faults.count(`store: ${fault}`)
    breakRequest(fault, () => perform(request), reply, random)
  })
  return { url: http.url, objects: objects as ReadonlyMap<string, string>, stop: http.stop }
}

export type ObjectStore = Awaited<ReturnType<typeof startObjectStore>>
