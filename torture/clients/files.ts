import { listAt, read } from './api.ts'
import { noted } from './record.ts'
import type { World } from './world.ts'

/** The content that a file was uploaded with. */
export const contentOf = (token: string) => `This file is ${token}.\n`.repeat(40)

/** Uploads one: most are stored only, as reading them takes more of the processor than there is. */
export async function uploadFile(world: World): Promise<void> {
  const { agentId, book, random } = world
  const token = book.token()
  const name = `${token}.${random.chance(0.1) ? 'txt' : 'pdf'}`
  const intent = { subject: 'file', action: 'create', target: name, token } as const
  const form = () => {
    const body = new FormData()
    body.set('file', new File([contentOf(token)], name))
    return body
  }
  await noted(world, world.mirrored, intent, { method: 'POST', path: `/agents/${agentId}/files`, form })
}

/** Deletes one of those that are listed. */
export async function deleteFile(world: World): Promise<void> {
  const { agentId, mirrored, random, book } = world
  const path = `/agents/${agentId}/files`
  const listed = await read(mirrored.servers, mirrored.token, { method: 'GET', path })
  const file = random.pick(listAt(listed, 'data'))
  if (!file) return
  const intent = { subject: 'file', action: 'delete', target: String(file.original_name), token: book.token() } as const
  await noted(world, mirrored, intent, { method: 'DELETE', path: `${path}/${file.id}` })
}
