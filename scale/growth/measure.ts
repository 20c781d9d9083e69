import { readFile } from 'node:fs/promises'
import postgres from 'postgres'
import type { Instance } from '../instance.ts'
import type { Measured } from './requests.ts'

/**
 * What a request costs: pages of the database that are looked at, and milliseconds of processor time of both processes.
 */
export interface Cost {
  pages: number
  milliseconds: number
  /** The statement that looks at the most pages. */
  statement: string
}

/** So often that each connection has planned its statements for good. */
const warmUps = 16
const timesOf = { read: 20, write: 8 }
/** Of the clock that counts a process's time. */
const ticksPerSecond = 100

async function send(url: string, { path, token, method, body }: Measured): Promise<number> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body()) }),
  })
  await response.arrayBuffer()
  return response.status
}

/** Milliseconds of processor time that a process has used; 0 where the system does not tell. */
async function processorTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field, a name, may have spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 1000) / ticksPerSecond
}

/** Measures requests of an instance on a server that has `pg_stat_statements`. */
export function meter(instance: Instance, databaseUrl: string) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const spent = async () => {
    const backends = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where application_name like 'switchboard %'`
    const times = await Promise.all([instance.pid, ...backends.map(({ pid }) => pid)].map(processorTime))
    return times.reduce((sum, time) => sum + time, 0)
  }
  return {
    /** Throws when the request is refused. */
    async measure(request: Measured): Promise<Cost> {
      const status = await send(instance.url, request)
      if (status >= 400) throw new Error(`${request.name} gave ${status}`)
      const write = request.method !== undefined
      for (let count = write ? 2 : warmUps; count > 0; count--) await send(instance.url, request)
      const times = write ? timesOf.write : timesOf.read
      await sql`select pg_stat_statements_reset()`
      const before = await spent()
      for (let count = 0; count < times; count++) await send(instance.url, request)
      const milliseconds = (await spent()) - before
      const [row] = await sql<{ pages: string; statement: string }[]>`
        select sum(shared_blks_hit + shared_blks_read)::text as pages,
          (array_agg(query order by shared_blks_hit + shared_blks_read desc))[1] as statement
        from pg_stat_statements where query not like '%pg_stat_%'`
      return {
        pages: Number(row?.pages ?? 0) / times,
        milliseconds: milliseconds / times,
        statement: row?.statement ?? '',
      }
    },
    close: () => sql.end(),
  }
}
