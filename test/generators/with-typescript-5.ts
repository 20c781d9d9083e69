/**
 * Loaded before a generator that writes through the compiler's programming interface, which TypeScript 7 no longer has:
 * gives it the version that its own installations have.
 */
Bun.plugin({
  name: 'typescript-5',
  setup(build) {
    build.module('typescript', async () => {
      const compiler = await import('typescript-5')
      return { exports: { ...compiler }, loader: 'object' }
    })
  },
})
