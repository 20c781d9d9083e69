import { files, type PlantedBug } from './bug.ts'

/** What can go wrong with the rows that say which writes are unfinished. */
export const journalBugs: PlantedBug[] = [
  {
    name: 'the row ends before the record is saved',
    file: files.steps,
    find: `      return db.transaction(async (tx) => {
        const result = await save(tx)
        await together(agree(tx), journal.settle(tx, entry, pauseMs, look))`,
    replace: `      await journal.settle(db, entry, pauseMs, look)
      return db.transaction(async (tx) => {
        const result = await save(tx)
        await agree(tx)`,
  },
  {
    name: 'the row ends after the record is saved, in a statement of its own',
    file: files.steps,
    find: `      return db.transaction(async (tx) => {
        const result = await save(tx)
        await together(agree(tx), journal.settle(tx, entry, pauseMs, look))
        computed(result)
        return result
      })`,
    replace: `      const result = await db.transaction(async (tx) => {
        const saved = await save(tx)
        await agree(tx)
        return saved
      })
      await journal.settle(db, entry, pauseMs, look)
      computed(result)
      return result`,
  },
  {
    name: 'the row ends before what a create sends at once',
    file: files.steps,
    find: 'const [result] = await atOnce(db, (executor) => [...statements(executor), endOrFail(executor, entry)] as const)',
    replace: `await journal.settle(db, entry, pauseMs)
        const [result] = await atOnce(db, (executor) => statements(executor))`,
    profile: 'creates, kills',
  },
  {
    name: 'what a create sends at once is kept though its row was lost',
    file: files.end,
    find: 'select({ found: oneFound })',
    replace: 'select({ found: sql`count(*)` })',
    profile: 'creates, long pauses',
  },
  {
    name: 'a create that was sent at once is taken for not made when its response is lost',
    file: files.create,
    find: 'isRefusal(error) ? undefined : made',
    replace: 'isRefusal(error) || inserts ? undefined : made',
  },
  {
    name: 'a row that is held is taken over',
    file: files.rows,
    find: 'const isFree = or(isDue, eq(liveWrites.owner, nobody))',
    replace: 'const isFree = or(isDue, sql`true`)',
  },
  {
    name: 'whoever lost a row settles it all the same',
    file: files.journalTable,
    find: 'and(eq(liveWrites.id, id), eq(liveWrites.owner, owner))',
    replace: 'and(eq(liveWrites.id, id))',
    profile: 'long pauses',
  },
  {
    name: 'nobody asks whether the row is still held before a live write, nor marks one that was lost again',
    file: files.lease,
    find: '        if (timers.now() - heldAt >= leaseMs) throw new EntryLostError(row)',
    replace: '        if (heldAt < 0) throw new EntryLostError(row)',
    behind: {
      file: files.journal,
      find: 'if (!ours) await markLost(entry)',
      replace: 'if (ours === undefined) await markLost(entry)',
    },
    profile: 'long pauses',
  },
  {
    name: 'a lost response is not noted',
    file: files.lease,
    find: 'inDoubt = true',
    replace: 'inDoubt = false',
  },
  {
    name: 'a write without a response ends its row',
    file: files.rows,
    find: 'if (always || !(inDoubt || look)) {',
    replace: 'if (always || !look) {',
  },
  {
    name: 'a row ends although an earlier write may still arrive',
    file: files.rows,
    find: 'await endRow(executor, { id, owner, always })',
    replace: 'await endRow(executor, { id, owner, always: true })',
    profile: 'late writes',
  },
  {
    name: 'what a dead writer sent is not waited for',
    file: files.rows,
    find: 'else greatest(${liveWrites.lateUntil}, ${lateOfOwner}) end`',
    replace: "else coalesce(${liveWrites.lateUntil}, ${lateOfOwner} - interval '1 day') end`",
    profile: 'long pauses',
  },
  {
    name: 'a create is journalled as if nothing were sent',
    file: files.rows,
    find: "const createSent = action === 'create'\n      const createdAt",
    replace: "const createSent = action === 'create' && false\n      const createdAt",
  },
  {
    name: 'a delete ends a row of which a create may still arrive',
    file: files.rows,
    find: "const always = action === 'delete' && !createSent",
    replace: "const always = action === 'delete' && (createSent || !createSent)",
    profile: 'objects that are made again',
  },
  {
    name: 'what an update sends is not kept',
    file: files.keptIntents,
    find: '.set({ intents: sql`${older} || jsonb_build_array(${sealed}::text)` })',
    replace: '.set({ intents: sql`${older} || (jsonb_build_array(${sealed}::text) - 0)` })',
  },
  {
    name: 'a process that starts frees rows that others hold',
    file: `src/voice-platform/mirror/mirror.ts`,
    find: 'if (alone) await journal.releaseAll()',
    replace: 'if (alone || !alone) await journal.releaseAll()',
  },
]
