import { z } from 'zod'
import { baseUrl, isUrlEncoded, list, text } from './forms.ts'

const headersForm = 'must be a comma-separated list of name=value, with values encoded as in URLs'
const ratioForm = 'must be a number from 0 to 1'

/** What OpenTelemetry says of exporters, as far as it is read. */
export const telemetryVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: list
    .pipe(
      z.array(
        text
          .regex(/^[\w-]+=/, headersForm)
          .refine(isUrlEncoded, headersForm)
          .refine(fitsHeader, 'must have values that fit in a header'),
      ),
    )
    .transform((entries) => Object.fromEntries(entries.map(headerOf)))
    .default({}),
  OTEL_SERVICE_NAME: text.default('switchboard'),
  OTEL_TRACES_SAMPLER_ARG: text
    .regex(/^(0|1|0?\.\d{1,9}|1\.0+)$/, ratioForm)
    .transform(Number)
    .default(1),
}

function fitsHeader(entry: string): boolean {
  return !isUrlEncoded(entry) || /^[\t\x20-\x7e\x80-\xff]*$/.test(headerOf(entry)[1])
}

function headerOf(entry: string): [string, string] {
  const cut = entry.indexOf('=')
  return [entry.slice(0, cut).trim(), decodeURIComponent(entry.slice(cut + 1).trim())]
}

/** Where telemetry goes. */
export interface TelemetrySettings {
  endpoint: string
  headers: Record<string, string>
  serviceName: string
  /** Part of the traces that begin here which are sent, from 0 to 1. */
  ratio: number
}

/** What the variables say; undefined without a collector. */
export function telemetrySettings(v: z.output<z.ZodObject<typeof telemetryVariables>>): TelemetrySettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = v
  if (endpoint === undefined) return undefined
  return { endpoint, headers, serviceName: v.OTEL_SERVICE_NAME, ratio: v.OTEL_TRACES_SAMPLER_ARG }
}
