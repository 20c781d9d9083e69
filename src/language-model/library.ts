async function load() {
  const library = await import('ai')
  globalThis.AI_SDK_LOG_WARNINGS = false
  return library
}

let loaded: ReturnType<typeof load> | undefined

/** The library that calls models: loaded with the first turn, as that takes a second, and looked up once. */
export const modelLibrary = (): ReturnType<typeof load> => {
  loaded ??= load()
  return loaded
}
