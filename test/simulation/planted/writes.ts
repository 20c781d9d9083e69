import { files, type PlantedBug } from './bug.ts'

/** What can go wrong in a write and in its recovery. */
export const writeBugs: PlantedBug[] = [
  {
    name: 'objects that no record names stay',
    file: files.reapply,
    find: 'for (const { id } of made) if (id !== liveId) await',
    replace: 'for (const { id } of made) if (id === undefined) await',
  },
  {
    name: "the record's own object is deleted with the others",
    file: files.reapply,
    find: 'for (const { id } of made) if (id !== liveId) await',
    replace: 'for (const { id } of made) await',
  },
  {
    name: 'an object that is made again is not journalled',
    file: files.reapply,
    find: "    await journal.noteSent(entry, 'createSent')\n",
    replace: '',
  },
  {
    name: 'an object that is made again does not get to its record',
    file: files.reapply,
    find: '      await remote.local.rebind(tx, entry.ref, id)\n',
    replace: '',
  },
  {
    name: 'a create whose record was not saved stays on the platform',
    file: files.create,
    find: '      await deleteLive(remote, live.id, entry.call)\n',
    replace: '',
  },
  {
    name: 'a create whose commit lost its response is deleted although it was saved',
    file: files.create,
    find: 'if (!open && computed && (await remote.local.read(db, entry.ref))?.liveId === live.id) return',
    replace: '',
  },
  {
    name: 'what a look-up finds counts as what the platform made of a create',
    file: files.create,
    find: 'isFound = made !== undefined',
    replace: 'isFound = made === null',
  },
  {
    name: 'a delete that may not have been made counts as made',
    file: files.remove,
    find: 'if (there === false) return',
    replace: 'if (!there) return',
  },
  {
    name: 'recovery completes a delete that was never sent',
    file: files.reconcile,
    find: 'if (!entry.deleteSent) return reapply(remote, entry, call)',
    replace: 'if (entry.deleteSent === undefined) return reapply(remote, entry, call)',
  },
  {
    name: 'a delete that was sent is not noted',
    file: files.remove,
    find: "      await journal.noteSent(entry, 'deleteSent')\n",
    replace: '',
  },
  {
    name: 'recovery sees a difference and leaves it',
    file: files.reapply,
    find: 'if (remote.live.differs(body, live).length > 0) {',
    replace: 'if (remote.live.differs(body, live).length > 99) {',
  },
  {
    name: 'a write without a response counts as made',
    file: files.steps,
    find: 'const done = await lookUp().catch(() => undefined)',
    replace: 'const done = (await lookUp().catch(() => undefined)) ?? { id: entry.ref }',
  },
  {
    name: 'the row of an update that failed ends, whatever was sent',
    file: files.steps,
    find: "if (entry.inherited || entry.inDoubt) return handOver(entry, error, 'update')",
    replace: '',
  },
]
