/**
 * An error that the API responds with: its status, its exact text and what its body carries besides.
 * `{detail}` in a text is filled by the thrower. `success` marks bodies of the form `{success: false, message}`;
 * the others are `{message}` (contract: rest 13).
 */
export interface ErrorEntry {
  status: number
  message: string
  success?: false
  /** The original APIs give the text as it is: nothing is said besides of what became of the change. */
  fixed?: true
  /** Constant keys of the body, such as `code`. */
  extra?: Record<string, unknown>
  headers?: Record<string, string>
}
