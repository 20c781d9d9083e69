import { serveThread } from '../../runtime/thread.ts'
import { capped, decodeText } from '../decode.ts'
import type { FileBytes } from './extract.ts'
import { type IndexedPassage, indexedPassages } from './indexed.ts'
import { passagesOf } from './split.ts'

const maxCharacters = 200_000

serveThread<FileBytes, IndexedPassage[]>(({ name, bytes }) => {
  const text = decodeText(bytes)
  return text === undefined ? [] : indexedPassages(passagesOf(name, capped(text, maxCharacters)))
})
