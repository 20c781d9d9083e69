import { files, type PlantedBug } from './bug.ts'

/** What can go wrong with squads, which name assistants and are named by numbers. */
export const squadBugs: PlantedBug[] = [
  {
    name: 'squads do not follow an assistant that was made again',
    file: files.assistantRemote,
    find: '.set({ live: sql`replace(${squads.live}::text, ${old.liveId}, ${liveId})::jsonb` })',
    replace: '.set({ live: sql`${squads.live}` })',
    profile: 'squads',
  },
  {
    name: 'the platform is not told of a squad that follows',
    file: files.assistantRemote,
    find: "  for (const squad of told) await markUnfinished(tx, { kind: 'squad', ref: squad.ref })\n",
    replace: '  void [told, markUnfinished]\n',
    profile: 'squads',
  },
  {
    name: 'numbers do not follow a squad that was made again',
    file: files.squadRemote,
    find: '.set({ voiceSquadId: liveId, syncDueAt: sql`now()` })',
    replace: '.set({ syncDueAt: sql`now()` })',
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
]
