/** What a span says of itself; never a secret, a parameter or a text of users. */
export type Attributes = Record<string, string | number | boolean | undefined>

export interface Span {
  /** Hexadecimal, 32 digits. */
  readonly traceId: string
  set(attributes: Attributes): void
  /** Gives it a better name, once that is known. */
  rename(name: string): void
  fail(): void
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'internal'
  attributes?: Attributes
  /** Begins a trace of its own. */
  root?: boolean
  /** The `traceparent` of a caller; one that is none begins a trace of its own. */
  traceparent?: string | null
}

/** Traces pieces of work: how long their parts took, and which belongs to which. */
export interface Tracing {
  /** Runs `work` within a span, of which what it runs becomes part; a rejection makes the span one that failed. */
  run<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>
  /** Begins a span within the one that runs; returns what ends it. Outside of one, nothing is recorded. */
  begin(name: string, options: SpanOptions): { end(failed?: boolean): void }
}
