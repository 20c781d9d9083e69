import { listAt, read, send } from '../clients/api.ts'
import { contentOf } from '../clients/files.ts'
import type { World } from '../clients/world.ts'
import { clean, type Verdict } from './verdict.ts'
import { describe } from './writes.ts'

/** What is listed has its content; what was acknowledged is listed; what was refused or deleted is not. */
export async function judgeFiles({ mirrored, agentId, book }: World): Promise<Verdict> {
  const verdict = clean()
  const path = `/agents/${agentId}/files`
  const listed = listAt(await read(mirrored.servers, mirrored.token, { method: 'GET', path }), 'data')
  const names = listed.map((file) => file.original_name)
  const [server] = mirrored.servers
  for (const file of listed) {
    if (!server) break
    const got = await send(server, mirrored.token, { method: 'GET', path: `${path}/${file.id}/content` })
    const token = String(file.original_name).replace(/\.\w+$/, '')
    if (!got.answered || got.status !== 200 || got.text !== contentOf(token)) {
      const said = got.answered ? `status ${got.status}` : 'no answer'
      verdict.losses.push(`file ${file.original_name} is listed without its content (${said})`)
    }
  }
  const writes = book.of('file')
  for (const write of writes.filter(({ action }) => action === 'create')) {
    const count = names.filter((name) => name === write.target).length
    const deletes = writes.filter((other) => other.action === 'delete' && other.target === write.target)
    const gone = deletes.some(({ outcome }) => outcome !== 'refused')
    // A delete that came before the last try of a keyed upload had an earlier try's file: the last makes it again.
    const deleted = deletes.some(
      ({ outcome, startedAt }) => outcome === 'done' && (write.tries === 1 || startedAt > write.endedAt),
    )
    if (write.outcome === 'done' && count === 0 && !gone) verdict.losses.push(`not listed: ${describe(write)}`)
    if (write.outcome === 'refused' && count > 0) verdict.divergences.push(`listed: ${describe(write)}`)
    if (count > 1) verdict.divergences.push(`listed ${count} times: ${describe(write)}`)
    if (count > 0 && deleted) verdict.divergences.push(`listed after its delete: ${describe(write)}`)
  }
  return verdict
}
