/** A Node that is no stand-in: `bun run` may put itself on the path under its name. */
function findNode(): { path: string; version: string } | undefined {
  const found = Bun.spawnSync(['which', '-a', 'node']).stdout.toString().split('\n')
  for (const path of new Set(found.filter(Boolean))) {
    const { stdout } = Bun.spawnSync([path, '-p', 'process.versions.bun ? "" : process.versions.node'])
    const version = stdout.toString().trim()
    if (version) return { path, version }
  }
  return undefined
}

/** The installed Node, if any. */
export const node = findNode()
