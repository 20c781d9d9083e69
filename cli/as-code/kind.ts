import type { Json } from '../../src/json/object.ts'
import { pathSegment } from '../path.ts'
import type { Api } from './api.ts'
import type { Kind, Remote } from './document.ts'

/** How resources are called on either side. */
export interface Names {
  /** The file's name of a resource of the server; the id itself where there is no such resource. */
  slugOf(kind: Kind, id: string): string
  /** The server's id of a file; a text that names no file is an id already. */
  idOf(kind: Kind, slug: string): string
}

/** Which workspace the folder stands for: a token may see others, too. */
export interface Workspace {
  id: number
  uuid: string
}

/** What a kind of resource is on the server. Documents that are written hold the server's ids, and secrets in plain. */
export interface KindOf {
  /** Everything of the workspace, in the order in which it was made. */
  read(api: Api, workspace: Workspace): Promise<Remote[]>
  /** One as it is now. */
  readOne(api: Api, id: string): Promise<Remote>
  /** The document with names in place of ids, and the other way round. */
  withNames(document: Json, names: Names): Json
  withIds(document: Json, names: Names): Json
  /** Makes it. Returns its id. Throws CommandError. */
  create(api: Api, document: Json): Promise<string>
  /**
   * Changes it as long as it is as `remote` says. Returns its id. Throws CommandError, with status 412 when it is not.
   */
  update(api: Api, remote: Remote, document: Json): Promise<string>
  /** Deletes it, likewise; undefined for what is never deleted. */
  remove?(api: Api, remote: Remote): Promise<void>
}

/** A path with an id in it. */
export const at = (path: string, id: string) => `${path}/${pathSegment(id)}`
