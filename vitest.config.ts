import { defineConfig } from 'vitest/config'

// The last stage of the engine's compilers for WebAssembly costs a run of this length more than it gives.
process.env.BUN_JSC_useOMGJIT = '0'
// The embedded databases count as heap, which may double before it is collected: new pages cost more than collecting.
process.env.BUN_JSC_forceRAMSize = String(1_000_000_000)

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
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
  },
})
