import { files, type PlantedBug } from './bug.ts'

/** What can go wrong with squads, which name assistants and are named by numbers. */
export const squadBugs: PlantedBug[] = [
  {
    name: 'squads do not follow an assistant that was made again',
    file: files.follow,
    find: '    await together(...changes.map(({ key, values }) => tx.update(squads).set(values).where(eq(id, key))))\n',
    replace: '',
    profile: 'squads',
  },
  {
    name: 'the platform is not told of a squad that follows',
    file: files.follow,
    find: "  await markAllUnfinished(tx, 'squad', teams)\n",
    replace: '  void teams\n',
    profile: 'squads',
  },
  {
    name: 'numbers do not follow a squad that was made again',
    file: files.follow,
    find: '...(row.voiceSquadId === ids.from && { voiceSquadId: ids.to }),',
    replace: '',
    profile: 'squads',
  },
  {
    name: 'an assistant that a squad names is deleted',
    file: files.members,
    find: 'if (naming.length > 0) throw inSquads(naming)\n}\n\n/**\n * Refuses to move',
    replace: 'if (naming.length > 99) throw inSquads(naming)\n}\n\n/**\n * Refuses to move',
    profile: 'squads',
  },
  {
    name: 'a squad takes in an assistant that is being deleted',
    file: files.members,
    find: "if (kept.length < ids.length || (await isAnyGoing(tx, 'assistant', refs))) {",
    replace: 'if (kept.length < ids.length) {',
    profile: 'squads',
  },
  {
    name: 'a squad does not note whom it names',
    file: files.members,
    find: '  await tx.insert(squadAssistants).values(ids.map((assistantId) => ({ squadId, workspaceId, assistantId })))\n',
    replace: '',
    profile: 'squads',
  },
  {
    name: 'squads do not follow a member that was renamed',
    file: files.renamed,
    find: 'if (!(await follows(tx, squad, renamed))) continue',
    replace: 'if (squad.id > 0) continue',
    profile: 'squads',
  },
  {
    name: 'the platform is not told of a squad whose member was renamed',
    file: files.renamed,
    find: "    await markUnfinished(tx, { kind: 'squad', ref: squad.ref })\n",
    replace: '',
    profile: 'squads',
  },
]
