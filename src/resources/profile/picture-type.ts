/** What a picture can be, as its first bytes say. */
export interface PictureType {
  extension: 'jpg' | 'png' | 'gif'
  mime: 'image/jpeg' | 'image/png' | 'image/gif'
}

const types: readonly (PictureType & { heads: readonly number[][] })[] = [
  { extension: 'jpg', mime: 'image/jpeg', heads: [[0xff, 0xd8, 0xff]] },
  { extension: 'png', mime: 'image/png', heads: [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]] },
  { extension: 'gif', mime: 'image/gif', heads: ['GIF87a', 'GIF89a'].map((head) => [...Buffer.from(head)]) },
]

/** How many bytes decide. */
export const headLength = 8

/** The type of a picture by its bytes, never by its name (contract: profile 7); undefined for anything else. */
export function pictureType(bytes: Uint8Array): PictureType | undefined {
  const starts = (head: readonly number[]) => head.every((byte, at) => bytes[at] === byte)
  return types.find(({ heads }) => heads.some(starts))
}

/** The type that a stored picture is served with, by the extension that `pictureType` gave it. */
export const mimeOf = (extension: string): PictureType['mime'] | undefined =>
  types.find((type) => type.extension === extension)?.mime
