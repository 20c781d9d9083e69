import { collectionResponse, deletedResponse, objectResponse, pageResponse } from '../../api/agents-envelope.ts'
import { Download } from '../../api/http/download.ts'
import { del, get, post } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import {
  FileDeleted,
  FileList,
  FilePath,
  FilesQuery,
  FileUploaded,
  PassageList,
  SearchInput,
  UploadInput,
} from './schema.ts'
import { deleteFile, downloadFile, listFiles, searchFiles, uploadFile } from './service.ts'

const common = { tag: 'Knowledge files', document: 'agents', feature: 'ai_chat' } as const

const procedures = {
  list: workspaceProcedure
    .meta(get('/agents/{agent_id}/files', "List an agent's files", common))
    .input(FilesQuery)
    .output(FileList)
    .query(({ ctx, input }) => pageResponse(listFiles(ctx, input))),

  upload: workspaceProcedure
    .meta(
      post('/agents/{agent_id}/files', 'Upload a file', {
        ...common,
        multipart: true,
        status: 201,
        errors: ['agent_edit_denied', 'file_type_unsupported'],
        description:
          'Text of txt, md, markdown, csv, json, log and text files can be searched; others are stored only.',
      }),
    )
    .input(UploadInput)
    .output(FileUploaded)
    .mutation(({ ctx, input }) => objectResponse('file', uploadFile(ctx, input))),

  delete: workspaceProcedure
    .meta(del('/agents/{agent_id}/files/{file_id}', 'Delete a file', { ...common, errors: ['agent_edit_denied'] }))
    .input(FilePath)
    .output(FileDeleted)
    .mutation(({ ctx, input }) => deletedResponse('file', deleteFile(ctx, input))),

  search: workspaceProcedure
    .meta(
      get('/agents/{agent_id}/search', "Search an agent's files", {
        ...common,
        rate: 'turn',
        extension: true,
      }),
    )
    .input(SearchInput)
    .output(PassageList)
    .query(({ ctx, input }) => collectionResponse(searchFiles(ctx, input))),
}

/** An agent's knowledge files and their search (contract: files 1). */
export const filesRouter = router(procedures)

/** The same with what typed RPC cannot carry: bytes. The list says where they are. */
export const restFilesRouter = router({
  ...procedures,

  download: workspaceProcedure
    .meta(
      get('/agents/{agent_id}/files/{file_id}/content', 'Download a file', {
        ...common,
        download: true,
        extension: true,
      }),
    )
    .input(FilePath)
    .output(Download)
    .query(({ ctx, input }) => downloadFile(ctx, input)),
})
