import { type Json, readAll } from '../clients/api.ts'
import type { World } from '../clients/world.ts'

/** The records of a workspace, as its API lists them. */
export interface State {
  assistants: Json[]
  squads: Json[]
  numbers: Json[]
}

/** Reads all records; throws when the API does not answer. */
export async function readState({ mirrored }: World): Promise<State> {
  const all = (path: string) => readAll(mirrored.servers, mirrored.token, path)
  const [assistants, squads, numbers] = await Promise.all([all('/assistants'), all('/squads'), all('/phone-numbers')])
  return { assistants, squads, numbers }
}
