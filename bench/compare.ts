import postgres from 'postgres'
import { checkAnswers, checkTotals, checkUnread } from './check.ts'
import type { Child } from './child.ts'
import { type Cluster, createDatabase, databaseName } from './cluster.ts'
import { type Contender, restName, startContenders, startFewAndMany, startSwitchboard } from './contenders.ts'
import { type Figures, measure, memoryOf } from './measure.ts'
import type { Options } from './options.ts'
import { type Call, createCalls, getCalls, listCalls, procedureCounts, unreadCalls } from './requests.ts'
import { sampleBody } from './sample.ts'
import { fillUp, total } from './scale.ts'
import { perWorkspace, removeCreated, seed, type Tenant, workspaceCount } from './seed.ts'
import type { Column } from './table.ts'

interface Surroundings {
  options: Options
  cluster: Cluster
  generator: Child
  /** A folder for what is built on the way. */
  scratch: string
  say(text: string): void
}

const byName = (contenders: readonly Contender[], figures: readonly Figures[]) =>
  new Map(contenders.flatMap(({ name }, index) => (figures[index] ? [[name, figures[index]] as const] : [])))

/** Every create has its entry of the history and what both sides agreed on, and none is left in the journal. */
async function checkCreated(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const [counted] = await sql<{ incomplete: number; journalled: number }[]>`
    select (select count(*)::int from live_writes) as journalled,
      (select count(*)::int from assistants a where name = ${sampleBody.name}
        and ((select count(*) from assistant_versions v where v.assistant_id = a.id) <> 1
          or (select count(*) from live_bases b where b.kind = 'assistant' and b.ref = a.assistant_id::text) <> 1)) as incomplete`
  await sql.end()
  if (counted?.incomplete !== 0 || counted.journalled !== 0) throw new Error('A create left something out or behind')
}

/** Every contender on the operations asked for, checked before they are timed. */
async function compareContenders(surroundings: Surroundings, url: string, tenants: Tenant[]) {
  const { options, generator, scratch, say } = surroundings
  const contenders = await startContenders(url, scratch)
  const columns: Column[] = []
  const run = async (title: string, calls: Call[], afterEach?: () => Promise<void>) => {
    say(`Measuring: ${title}`)
    const figures = await measure(generator, contenders, calls, options, afterEach)
    columns.push({ title, figures: byName(contenders, figures) })
  }
  if (options.only.has('get')) {
    const calls = getCalls(tenants)
    await checkAnswers(contenders, calls.slice(0, 10))
    await run('GET one', calls)
  }
  if (options.only.has('unread')) {
    const calls = unreadCalls(tenants)
    checkUnread(await checkAnswers(contenders, calls.slice(0, 10)), calls.length)
    await run('GET one, not read before', calls)
  }
  if (options.only.has('list')) {
    const calls = listCalls(tenants)
    await checkAnswers(contenders, calls.slice(0, 10))
    await run('list of 15 with total', calls)
  }
  if (options.only.has('post')) {
    const calls = createCalls(tenants, sampleBody)
    await checkAnswers(contenders, calls.slice(0, 10))
    await checkCreated(url)
    await run('POST create', calls, () => removeCreated(url))
  }
  const memory = new Map<string, number>()
  for (const contender of contenders) memory.set(contender.name, await memoryOf(contender))
  for (const { server } of contenders) await server.end()
  return { columns, names: contenders.map(({ name }) => name), memory }
}

/** One read of this server's REST face among few procedures and among many. */
async function compareProcedures({ options, generator, say }: Surroundings, url: string, tenants: Tenant[]) {
  const servers = await startFewAndMany(url)
  const calls = getCalls(tenants)
  await checkAnswers(servers, calls.slice(0, 10))
  say(`Measuring: GET one among ${procedureCounts.few} procedures and among ${procedureCounts.many}`)
  const [few, many] = await measure(generator, servers, calls, options)
  for (const { server } of servers) await server.end()
  return few && many ? { few, many } : undefined
}

/** The first page of this server among 10,000 and among 1,000,000 assistants. */
async function compareSizes(surroundings: Surroundings, url: string, largeUrl: string, tenants: Tenant[]) {
  const { options, generator, say } = surroundings
  say('Filling a copy up to 1,000,000 assistants')
  await fillUp(largeUrl)
  const servers = [await startSwitchboard(restName, url), await startSwitchboard(restName, largeUrl)]
  const calls = listCalls(tenants)
  await checkTotals(servers, calls, [perWorkspace, total / workspaceCount])
  say('Measuring: list of 15 with total, 10,000 against 1,000,000 assistants')
  const [small, large] = await measure(generator, servers, calls, options)
  return small && large ? { small, large } : undefined
}

const nothing = {
  ...{ columns: [], names: [], memory: new Map<string, number>() },
  ...{ sizes: undefined, procedures: undefined },
}

/** Everything that is measured on the database server. */
export async function compare(surroundings: Surroundings) {
  const { options, cluster, say } = surroundings
  if (!(['get', 'unread', 'list', 'post', 'procedures', 'scale'] as const).some((part) => options.only.has(part)))
    return nothing
  say('Seeding 10,000 assistants in 20 workspaces')
  const main = databaseName('main')
  const url = await createDatabase(cluster, main)
  const tenants = await seed(url)
  const largeUrl = options.only.has('scale') ? await createDatabase(cluster, databaseName('large'), main) : undefined
  const operations = ['get', 'unread', 'list', 'post'] as const
  const compared = operations.some((operation) => options.only.has(operation))
    ? await compareContenders(surroundings, url, tenants)
    : nothing
  const sizes = largeUrl === undefined ? undefined : await compareSizes(surroundings, url, largeUrl, tenants)
  const procedures = options.only.has('procedures') ? await compareProcedures(surroundings, url, tenants) : undefined
  return { ...compared, procedures, sizes }
}
