/** How a failed webhook is tried again: `server.backoffPlan`. */
export interface BackoffPlan {
  type: 'fixed' | 'exponential'
  maxRetries: number
  baseDelaySeconds: number
  excludedStatusCodes?: number[]
}

/** Sent once, whatever becomes of it. */
export const noRetries: BackoffPlan = { type: 'fixed', maxRetries: 0, baseDelaySeconds: 0 }

/** A webhook that is to be sent. */
export interface WebhookMessage {
  /** The type of the message, such as `status-update`. */
  type: string
  callId: string
  /** The call's assistant, by its id on the platform; none when nobody answered. */
  assistantId: string | undefined
  /** The number that was called or calls, by its id on the platform. */
  phoneNumberId: string | undefined
  url: string
  /** Sent as they are; they hold secrets. */
  headers: Record<string, string>
  /** Selects how the request is signed. */
  credentialId?: string
  timeoutSeconds: number
  backoffPlan: BackoffPlan
  /** `{message}`, without secrets. */
  body: { message: Record<string, unknown> }
}

/** A webhook whose response decides how a call goes on. It is sent once. */
export type WebhookQuestion = Pick<
  WebhookMessage,
  'type' | 'callId' | 'assistantId' | 'phoneNumberId' | 'url' | 'headers' | 'credentialId' | 'timeoutSeconds' | 'body'
>

/** The body that a receiver responded to a question with, or one short sentence for the owner why there is none. */
export type QuestionOutcome = { body: unknown } | { error: string }

/** Sends a question and waits for its response; never rejects. */
export type AskReceiver = (question: WebhookQuestion) => Promise<QuestionOutcome>
