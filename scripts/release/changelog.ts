/** Whether a text is a version such as `1.2.3` or `1.2.3-rc.1`. */
export const isVersion = (text: string): boolean => /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(text)

const heading = '## Unreleased\n'

/**
 * The changelog with what is unreleased as a version of a day (`2026-01-31`), and an empty section above it. Throws
 * when nothing is unreleased, and when there is such a version.
 */
export function released(changelog: string, version: string, day: string): string {
  const [before, after, ...more] = changelog.split(heading)
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error('CHANGELOG.md has no one section "Unreleased".')
  }
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has the version ${version} already.`)
  const [changes = ''] = after.split('\n## ')
  if (changes.trim() === '') throw new Error('Nothing is unreleased.')
  return `${before}${heading}\n## ${version} (${day})\n${after}`
}
