/** How a body may be packed on its way, the better one first. */
export const encodings = ['zstd', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** The first of these encodings that the caller takes; `q=0` means that it does not. */
export function encodingFor({ headers }: Request, offered: readonly Encoding[] = encodings): Encoding | undefined {
  const accepted = headers.get('accept-encoding')
  if (accepted === null) return undefined
  const taken = accepted
    .toLowerCase()
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
    .map(([name]) => name)
  return offered.find((encoding) => taken.includes(encoding))
}
