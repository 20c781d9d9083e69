import { defineConfig } from 'vitest/config'

// The last stage of the engine's compilers for WebAssembly costs a run of this length more than it gives.
process.env.BUN_JSC_useOMGJIT = '0'
// The embedded databases count as heap, which may double before it is collected: new pages cost more than collecting.
process.env.BUN_JSC_forceRAMSize = String(1_000_000_000)

/**
 * Tests that drive a browser, run commands, end or stall real servers, move whole databases, run the embedder or try
 * thousands of random things: more than half of the time, for the fewest of the rules.
 */
const slow = [
  'test/**/*.browser.test.ts',
  'test/**/kill*.test.ts',
  'test/backup/*.test.ts',
  'test/cli/*.test.ts',
  'test/db/{client,connections,crash,deadlines,embedded-broken,empty-database,migrate,partition,replica,transactions}.test.ts',
  'test/docs/guides.test.ts',
  'test/files/{embedded-embedder,indexing,languages,questions,text}.test.ts',
  'test/agents/{local-model,summaries}.test.ts',
  'test/app/{database-refused,refused-data-folder,start-lines}.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/generators/*.test.ts',
  'test/kernel/slow-form.test.ts',
  'test/main.test.ts',
  'test/scale/*.test.ts',
  'test/scripts/scripts.test.ts',
  'test/simulation/{long-run,simulation}.test.ts',
  'test/storage/bounds.test.ts',
  'test/torture/torture.test.ts',
  'test/typed-client.test.ts',
  'test/upgrade/*.test.ts',
]

export default defineConfig({
  test: {
    globalSetup: ['test/support/database-template.ts'],
    // One database per worker serves all its files: they share modules, and keep apart by workspaces of their own.
    isolate: false,
    pool: 'forks',
    // One more than the cores of a small machine, as some tests wait for time to pass.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for is told by a condition; a busy machine only takes longer.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: slow } },
      { extends: true, test: { name: 'slow', include: slow } },
    ],
  },
})
