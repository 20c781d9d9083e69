import { router } from './api/trpc.ts'
import { assistantsRouter } from './resources/assistants/router.ts'

/** The table of contents: one line per resource. */
export const appRouter = router({
  assistants: assistantsRouter,
})

export type AppRouter = typeof appRouter
