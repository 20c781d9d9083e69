import { session } from '../session/session.ts'
import { serverUrl } from './address.ts'
import { type FailureBody, UploadError } from './failure.ts'

const messageIn = (text: string): string => {
  try {
    const { message, errors }: FailureBody = JSON.parse(text)
    return Object.values(errors ?? {})[0]?.[0] ?? message ?? 'The file was not taken.'
  } catch {
    return 'The file was not taken.'
  }
}

/**
 * Sends the parts of a form, of which one is a file; `onProgress` is told the share that is sent, 0 to 1. The one kind
 * of call that has no typed client: a browser tells the progress of nothing else. Throws UploadError.
 */
export function upload(
  path: string,
  parts: Record<string, File | string>,
  onProgress: (share: number) => void = () => {},
): Promise<void> {
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
    for (const [name, part] of Object.entries(parts)) form.set(name, part)
    request.send(form)
  })
}
