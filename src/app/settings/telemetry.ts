import { z } from 'zod'
import { baseUrl, isUrlEncoded, list, text } from './forms.ts'
import { Setting } from './setting.ts'

const headersForm = 'must be a comma-separated list of name=value, with values encoded as in URLs'
const ratioForm = 'must be a number from 0 to 1'

/** Where telemetry goes: what OpenTelemetry says of exporters, as far as it is read. */
export const telemetry = {
  endpoint: new Setting('OTEL_EXPORTER_OTLP_ENDPOINT', baseUrl.optional()),
  headers: new Setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    list
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
  ),
  serviceName: new Setting('OTEL_SERVICE_NAME', text.default('switchboard')),
  /** Part of the traces that begin here which are sent, from 0 to 1. */
  ratio: new Setting(
    'OTEL_TRACES_SAMPLER_ARG',
    text
      .regex(/^(0|1|0?\.\d{1,9}|1\.0+)$/, ratioForm)
      .transform(Number)
      .default(1),
  ),
}

function fitsHeader(entry: string): boolean {
  return !isUrlEncoded(entry) || /^[\t\x20-\x7e\x80-\xff]*$/.test(headerOf(entry)[1])
}

function headerOf(entry: string): [string, string] {
  const cut = entry.indexOf('=')
  return [entry.slice(0, cut).trim(), decodeURIComponent(entry.slice(cut + 1).trim())]
}
