import type { Build } from '../schema.ts'

type Texts = Build['request']

const isText = (name: string, request: Texts): name is keyof Texts => Object.hasOwn(request, name)

/** A build with texts that its request says, in place of what was taken from outside; what is undefined stays. */
export function withRequest({ outside = [], ...build }: Build, said: Partial<Texts>): Build {
  const request = { ...build.request }
  for (const [name, text] of Object.entries(said)) if (text !== undefined && isText(name, request)) request[name] = text
  const left = outside.filter((name) => said[name] === undefined)
  return { ...build, request, ...(left.length > 0 && { outside: left }) }
}

/** A build with texts that are kept as its request's own because of what was changed outside. */
export function withOutsideTexts(build: Build, texts: Partial<Texts>): Build {
  const made = withRequest(build, texts)
  const names = Object.keys(texts).filter((name) => isText(name, build.request))
  return { ...made, outside: [...(made.outside ?? []), ...names] }
}

/** A build that a template is named for, which says what was kept because of a change outside (contract: drift 13). */
export function withoutOutsideTexts({ outside = [], ...build }: Build): Build {
  return { ...build, request: { ...build.request, ...Object.fromEntries(outside.map((name) => [name, null])) } }
}
