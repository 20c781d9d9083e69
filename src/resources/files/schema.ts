import { z } from 'zod'
import { deletedOf, listOf, responseOf, rest, wholeListOf } from '../../api/agents-envelope.ts'
import { integerId, isoTime, requiredText, uuidId } from '../../api/schemas.ts'
import { previewKinds } from './kinds.ts'

const file = {
  id: z.int(),
  project_id: z.int().meta({ description: "The agent's internal id." }),
  original_name: z.string().meta({ examples: ['hours.txt'] }),
  mime: z.string().meta({ examples: ['text/plain'] }),
  size: z.int().meta({ description: 'Bytes.' }),
  created_at: isoTime,
  extractable: z.boolean().meta({ description: 'Whether text is read from files of this kind.' }),
}
const indexed = z.boolean().meta({ description: 'Whether all of its text can be searched by meaning.' })

/** A row of the list (contract: files 1). */
export const FileEntry = z
  .object({
    ...file,
    vector_count: z.int(),
    indexed,
    url: z.string().meta({ description: 'Where it can be downloaded, with the same token.' }),
    preview_kind: z.enum(previewKinds),
  })
  .meta({ id: 'KnowledgeFile' })

/** The response to an upload (contract: files 2). */
export const UploadedFile = z
  .object({ ...file, extracted: z.boolean().meta({ description: 'Whether there was text in it.' }), indexed })
  .meta({ id: 'UploadedKnowledgeFile' })

export const Passage = z
  .object({
    file_id: z.int(),
    original_name: z.string(),
    text: z.string(),
    score: z.number().meta({ description: '0..1: 1 has all words of the question and its meaning.' }),
    heading: z
      .string()
      .optional()
      .meta({ description: 'The headings that it stands under, outermost first; absent where there are none.' }),
  })
  .meta({ id: 'Passage' })

const maxKilobytes = 20_480
const path = { agent_id: uuidId }

export const FilesQuery = z.object({ ...path, cursor: rest })
export const FilePath = z.object({ ...path, file_id: integerId })
export const UploadInput = z.object({
  ...path,
  file: z.file().max(maxKilobytes * 1024, `The file field must not be greater than ${maxKilobytes} kilobytes.`),
})
export const SearchInput = z.object({
  ...path,
  q: requiredText(1000),
  limit: z.int().min(1).max(20).default(5),
})

export const FileList = wholeListOf(FileEntry)
export const FileUploaded = responseOf('file', UploadedFile)
export const FileDeleted = deletedOf('file', z.int())
export const PassageList = listOf(Passage)
