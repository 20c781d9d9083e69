import { files, type PlantedBug } from './bug.ts'

/** What can go wrong with changes made outside, and with what tells of them. */
export const outsideBugs: PlantedBug[] = [
  {
    name: 'recovery overwrites what was changed outside',
    file: files.reapply,
    find: '    const outside = await survey(entry, remote, recorded.liveId, live, true)\n',
    replace: `    if (entry) return { composed: recorded.body, body: recorded.body, isAgreed: true, missing: [] }
    const outside = await survey(entry, remote, recorded.liveId, live, true)\n`,
  },
  {
    name: 'a save does not look at the object first',
    file: files.update,
    find: '    const call = { ...entry.call, timeoutMs: surveyTimeoutMs }\n',
    replace: `    const unread = partOf(entry, remote, first.body, { live: undefined, unwritten: [] })
    if (remote) return { change: first, sent: first.body, part: unread, missing: () => [] }
    const call = { ...entry.call, timeoutMs: surveyTimeoutMs }\n`,
  },
  {
    name: 'what a save overrules is in no history',
    file: files.change,
    find: 'const outside = adopted && {',
    replace: 'const outside = adopted && !locked && {',
  },
  {
    name: 'a merge forgets what was changed outside',
    file: files.merge,
    find: 'const outer = withLeaves(base.sent, theirs)',
    replace: 'const outer = withLeaves(base.sent, theirs.slice(theirs.length))',
  },
  {
    name: 'a merge lets the other side win',
    file: files.merge,
    find: 'withLeaves(outer, mine))',
    replace: 'withLeaves(withLeaves(base.sent, mine), theirs))',
  },
  {
    name: 'what a save sets back counts as changed outside alone',
    file: files.merge,
    find: 'withoutDetached(setBetween(taken, ours), base)',
    replace: 'withoutDetached(setBetween(base.composed, ours), base)',
    behind: {
      file: files.merge,
      find: 'if (apart.length === 0) return',
      replace: 'if (apart.length >= 0) return',
    },
  },
  {
    name: 'an unfinished write of ours is taken for a change outside',
    file: files.intents,
    find: 'if (intents.length === 0) return live',
    replace: 'if (intents.length >= 0) return live',
  },
  {
    name: 'what was seen before an earlier agreement counts for this one',
    file: files.intents,
    find: 'intent.outside && intent.revision === revision',
    replace: 'intent.outside && (revision || !revision)',
  },
  {
    name: 'an update keeps no base',
    file: files.update,
    find: 'if (!isSame) await bases.save',
    replace: 'if (isSame) await bases.save',
  },
  {
    name: 'the sweep looks at what is being written',
    file: files.inspect,
    find: 'busy: row?.busy ?? true,',
    replace: 'busy: row === undefined,',
  },
  {
    name: 'what differed stays known as such',
    file: files.findings,
    find: ".set({ state: 'resolved', resolution, resolvedAt: sql`now()` })",
    replace: '.set({ resolution, resolvedAt: sql`now()` })',
  },
  {
    name: 'numbers do not follow an assistant that was made again',
    file: files.follow,
    find: '...(row.voiceAssistantId === ids.from && { voiceAssistantId: ids.to }),',
    replace: '',
    profile: 'routing',
  },
  {
    name: 'what was changed outside between two lost writes counts as the second one',
    file: files.intents,
    find: 'seen.at(-1) ?? base.seen',
    replace: 'seen[0] ?? base.seen',
    profile: 'one assistant, failing commits',
  },
]
