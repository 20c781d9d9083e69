/** The kinds of files that an agent takes, by extension (contract: files 3). */
const kinds = {
  txt: { mime: 'text/plain', preview: 'text' },
  md: { mime: 'text/markdown', preview: 'text' },
  markdown: { mime: 'text/markdown', preview: 'text' },
  csv: { mime: 'text/csv', preview: 'text' },
  json: { mime: 'application/json', preview: 'text' },
  log: { mime: 'text/plain', preview: 'text' },
  text: { mime: 'text/plain', preview: 'text' },
  pdf: { mime: 'application/pdf', preview: 'pdf' },
  doc: { mime: 'application/msword', preview: 'document' },
  docx: { mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', preview: 'document' },
  rtf: { mime: 'application/rtf', preview: 'document' },
} as const

export const previewKinds = ['text', 'pdf', 'document'] as const
export type PreviewKind = (typeof previewKinds)[number]

export interface FileKind {
  mime: string
  preview: PreviewKind
}

export const allowedExtensions = Object.keys(kinds).join(', ')

const extensionOf = (name: string) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** The kind of a file by its name, or undefined when it is not taken. */
export function kindOf(name: string): FileKind | undefined {
  const extension = extensionOf(name)
  return Object.hasOwn(kinds, extension) ? kinds[extension as keyof typeof kinds] : undefined
}

/** Only files that are text by their kind are read and indexed. */
export const isExtractable = ({ preview }: FileKind): boolean => preview === 'text'

/** The name of an uploaded file without folders or signs that a listing could not show. */
export function safeName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? ''
  const clean = base.replace(/\p{Cc}/gu, '').trim()
  const characters = [...clean]
  return characters.length > 255 ? characters.slice(-255).join('') : clean
}
