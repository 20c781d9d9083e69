/** Parts of a request by the folder or package whose code is on top; the first that fits is taken. */
const steps: readonly [title: string, places: RegExp][] = [
  ['driver: protocol, bytes, rows', /^postgres\//],
  ['statements: values to parameters', /^(src\/db|drizzle-orm)\//],
  ['texts rendered, body for the platform', /^src\/(voice-platform\/mapping|resources\/assistants\/rendering)\//],
  ['what it names on the platform', /^src\/(voice-platform\/references|resources\/references)\//],
  ['journal, turn of the writer, what is agreed on', /^src\/(voice-platform|resources\/history)\//],
  ['sealed columns', /^src\/secrets\//],
  ['record, its check', /^src\/(api\/schema-compiler|resources\/assistants\/(read|[^/]+$))/],
  ['body read, checked, merged', /^(src\/(api\/errors|api\/http\/body|resources|json)|zod)/],
  ['who calls, limits', /^src\/(api\/(auth|limits)|accounts)\//],
  ['line of the log', /^(pino|sonic-boom|quick-format-unescaped|src\/(log|runtime))/],
  ['route, request, response', /^(src\/|elysia|memoirist|@trpc)/],
  ['its own code', /^bench\//],
]

/** What no module is on top of: sockets, timers and promises of the engine. */
export const engine = 'the engine: sockets, promises'

/** The steps in the order in which tables show them. */
export const stepNames: readonly string[] = [...steps.map(([title]) => title), engine]

/** The step that the code of a file belongs to; undefined for the engine's own. */
export function stepOf(url: string): string | undefined {
  const place = /\/node_modules\/(.*)$/.exec(url)?.[1] ?? /\/((?:src|bench)\/.*)$/.exec(url)?.[1]
  return place === undefined ? undefined : steps.find(([, places]) => places.test(place))?.[0]
}
