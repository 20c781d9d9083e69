import { Glob } from 'bun'

/**
 * Checks, as part of `bun run check`, that the code of `src` keeps to the words of docs/architecture.md and that no
 * file has grown too long. Exits with 1 and a line for each place.
 */

/** What is not said here, and the word for it. */
const words: { forbidden: RegExp; instead: string; in?: RegExp }[] = [
  { forbidden: /\b[tT]wins?\b/, instead: 'remote, or remote object' },
  { forbidden: /\bpatience\b/, instead: 'timeout' },
  { forbidden: /\b(?:most|longest)[A-Z]\w*/, instead: 'max' },
  { forbidden: /\bupkeep\b/, instead: 'recover, or sync' },
  { forbidden: /\bgiveUp\b/, instead: 'abandon' },
  {
    // Texts that people hear may say it.
    forbidden:
      /(?<=^\s*(?:\/?\*|\/\/).*)\bmoments?\b|(?<!the )\bmoments?\b(?=[?:;,)\]=.]| =)|[a-z]Moments?\b|\bMoment\b/,
    instead: 'time or timestamp',
    in: /^src\/(?!backup\/|console\/|widget\/strings|api\/errors\/catalogue|app\/bootstrap\/catalogue)/,
  },
  {
    forbidden: /\btold[A-Z]\w*|\b\w+Told\b|\btell[A-Z]\w*/,
    instead: 'sent, synced, logged or notified',
    in: /^src\/(?!console\/|voice-platform\/embedded\/)/,
  },
  {
    // In comments and names; texts that callers read are the contract's.
    forbidden: /(?<=^\s*(?:\/?\*|\/\/).*)\b[aA]nswer\w*|\b(?:const|let) answer\b|\banswer: Response\b|\banswer[A-Z]\w*/,
    instead: 'response, respond, return or reply',
    // A language model answers a question, and people the phone.
    in: /^src\/(?!language-model\/|knowledge\/|console\/|widget\/|webhooks\/|resources\/squads\/|app\/bootstrap\/catalogue|voice-platform\/(?:embedded\/|simulation\.ts))/,
  },
]

/** Longer files do more than one thing. */
const maxLines = 250
/** As long as the formatter lets code be; it leaves comments as they are. */
const maxComment = 120
const isComment = (line: string) => /^\s*(?:\/?\*|\/\/)/.test(line)

const problems: string[] = []
for (const file of new Glob('src/**/*.{ts,tsx}').scanSync()) {
  const lines = (await Bun.file(file).text()).split('\n')
  if (lines.length - 1 > maxLines) problems.push(`${file} has ${lines.length - 1} lines: ${maxLines} at most`)
  for (const [index, line] of lines.entries()) {
    if (line.length > maxComment && isComment(line))
      problems.push(`${file}:${index + 1} is a comment of ${line.length} characters: ${maxComment} at most`)
    for (const { forbidden, instead, in: where = /./ } of words) {
      const found = where.test(file) && forbidden.exec(line)?.[0]
      if (found) problems.push(`${file}:${index + 1} says "${found}": the word is ${instead}`)
    }
  }
}

if (problems.length > 0) {
  console.error(problems.sort().join('\n'))
  process.exitCode = 1
} else {
  console.log('The code keeps to its words, and its files and comments are short.')
}
