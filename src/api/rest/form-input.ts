import type { RequestContext } from '../context.ts'
import { inTime, tooLarge } from '../http/body.ts'
import { formLimit, readForm } from '../http/form.ts'
import { addPairs, type TextField } from './input.ts'

/** A form as the input of an operation. */
export interface FormInput {
  input: Record<string, unknown>
  /** What tells this form from another. */
  fingerprint: string
  /** Takes the files away. */
  remove(): Promise<void>
}

/**
 * Reads a form whose fields are an operation's input, its files to the disk. Whoever reads it calls `remove`.
 * @param path fields that are known from elsewhere, and win
 * Throws 400, 408 and 413.
 */
export async function readFormInput(
  request: Request,
  { bodyTimes, log, keepOpen }: Pick<RequestContext, 'bodyTimes' | 'log' | 'keepOpen'>,
  fields: Map<string, TextField>,
  path: Record<string, unknown> = {},
): Promise<FormInput> {
  if (Number(request.headers.get('content-length') ?? 0) > formLimit) throw tooLarge(formLimit)
  // A form has a time of its own.
  const endWaiting = keepOpen()
  const reading = readForm(request, request.headers.get('content-type') ?? '')
  const { pairs, fingerprint, remove } = await inTime(reading, bodyTimes.form)
    .catch((error: unknown) => {
      // What comes in after all is taken away.
      reading.then(
        (late) => late.remove(),
        () => {},
      )
      throw error
    })
    .finally(endWaiting)
  const input = { ...path }
  addPairs(pairs, fields, new Set(Object.keys(path)), input)
  return {
    input,
    fingerprint,
    remove: () =>
      remove().catch((error: unknown) => log.warn({ event: 'form_left_over', err: error }, 'a form may be left over')),
  }
}
