import { session } from '../session/session.ts'
import { serverUrl } from './address.ts'

/** A file that the server did not take; the message is its own. */
class UploadError extends Error {}

const messageIn = (text: string): string => {
  try {
    const body: { message?: unknown } = JSON.parse(text)
    return typeof body.message === 'string' ? body.message : 'The file was not taken.'
  } catch {
    return 'The file was not taken.'
  }
}

/**
 * Sends a file as the part `file` of a form; `onProgress` is told the share that is sent, 0 to 1. The one kind of call that
 * has no typed client: a browser tells the progress of nothing else. Throws UploadError.
 */
export function upload(path: string, file: File, onProgress: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `${serverUrl}${path}`)
    const headers = session.headers()
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      if (request.status === 401) session.expire(headers.authorization)
      if (request.status < 300) resolve()
      else reject(new UploadError(messageIn(request.responseText)))
    }
    request.onerror = () => reject(new UploadError('The server cannot be reached.'))
    const form = new FormData()
    form.set('file', file)
    request.send(form)
  })
}
