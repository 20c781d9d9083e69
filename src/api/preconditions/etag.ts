/**
 * The tag of what a read responds: weak, because compressed bytes count as the same response, and so does the end of
 * its line.
 */
export const etagOf = (json: string): string =>
  `W/"${Bun.hash(json.endsWith('\n') ? json.slice(0, -1) : json).toString(36)}"`

const bare = (etag: string) => etag.trim().replace(/^W\//, '')

/**
 * Whether a header such as If-None-Match names this tag; `*` names every one. Weak and strong tags are compared alike:
 * they say what a response holds, not its bytes.
 */
export const namesTag = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag))
