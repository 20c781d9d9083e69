import { files, type PlantedBug } from './bug.ts'

/** What can go wrong with numbers, which cost money. */
export const numberBugs: PlantedBug[] = [
  {
    name: 'a purchase without a response counts as refused',
    file: files.purchase,
    find: 'if (!isUnknown(error) && !resumed) {',
    replace: 'if (!resumed) {',
  },
  {
    name: 'a purchase that was left is closed at the first look',
    file: files.purchase,
    find: 'else if (ageMs >= graceMs) await close(number, ref, row)',
    replace: 'else if (ageMs >= 0) await close(number, ref, row)',
    profile: 'purchases',
  },
  {
    name: "another's purchase is taken for one's own",
    file: files.purchase,
    find: 'return owned?.reference === ref ? owned : undefined',
    replace: 'return owned',
    profile: 'purchases',
  },
  {
    name: 'a purchase is not journalled',
    file: files.purchase,
    find: '      const { resumed } = await open(order)\n',
    replace: '      const { resumed } = { resumed: false }\n',
  },
  {
    name: 'a released number is not given back',
    file: files.sync,
    find: 'if (row.carrierId !== importedCarrierId) {',
    replace: 'if (row.carrierId === importedCarrierId) {',
  },
  {
    name: 'what was saved while a number was told is not told',
    file: files.sync,
    find: '...(current ? inStep : { syncDueAt: sql`now()` }),',
    replace: '...(current || !current ? inStep : {}),',
    profile: 'routing',
    seed: 200,
  },
  {
    name: 'numbers of a deleted assistant are not told',
    file: files.routing,
    find: '    .set({ ...noTarget, syncDueAt: sql`now()`, updatedAt: at })\n    .where(leadingTo(target))',
    replace: '    .set({ ...noTarget, updatedAt: at })\n    .where(leadingTo(target))',
  },
  {
    name: 'what a list still shows of a number counts as there',
    file: files.numberRemote,
    find: 'return listed ? orGone(live.get(listed.id, options)) : undefined',
    replace: 'return listed ?? undefined',
    profile: 'purchases',
    seed: 200_000,
    instances: 3,
  },
  {
    name: 'a number that another process registered is told what it was to be at first',
    file: files.numberRemote,
    find: 'if (held) return held\n',
    replace: 'if (held) return update(held.id, body, options)\n',
    profile: 'purchases',
    seed: 2000,
    instances: 3,
  },
]
