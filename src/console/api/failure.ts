import { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../router.ts'

/** A file that the server did not take; the message is its own. */
export class UploadError extends Error {}

export interface FailureBody {
  message?: string
  errors?: Record<string, string[]>
}

const bodyOf = (error: unknown): FailureBody =>
  error instanceof TRPCClientError ? (((error as TRPCClientError<AppRouter>).data?.body as FailureBody) ?? {}) : {}

/** The HTTP status of a failed call; undefined when the server was not reached. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.httpStatus : undefined

/** What went wrong, in the server's words. */
export function messageOf(error: unknown): string {
  if (error instanceof UploadError) return error.message
  const { message } = bodyOf(error)
  if (message) return message
  if (statusOf(error) === undefined) return 'The server cannot be reached.'
  return error instanceof Error ? error.message : 'Something went wrong.'
}

/** The first text for each field that the server refused, by dotted path. */
export const fieldErrors = (error: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(bodyOf(error).errors ?? {}).map(([field, [text = '']]) => [field, text]))
