import { dataResponse } from '../../src/api/envelope.ts'
import { get } from '../../src/api/meta.ts'
import { router, workspaceProcedure } from '../../src/api/trpc.ts'
import { getAssistant } from '../../src/resources/assistants/read/written.ts'
import { assistantsRouter } from '../../src/resources/assistants/router.ts'
import { AssistantPath, AssistantResponse } from '../../src/resources/assistants/schema.ts'
import { restRouter } from '../../src/router.ts'
import { procedureCounts } from '../requests.ts'

/** A read of an assistant at a path of its own, beside the real one's. */
const dummy = (number: number) =>
  workspaceProcedure
    .meta(
      get(`/assistants/{assistantId}/dummy-${number}`, 'A dummy', {
        ...{ tag: 'Dummies', document: 'voice', feature: 'assistants', permission: 'read' },
        ids: { assistantId: 'assistant_not_found' },
      }),
    )
    .input(AssistantPath)
    .output(AssistantResponse)
    .query(({ ctx, input }) => dataResponse(getAssistant(ctx, input)))

/** So many procedures: those of a router, and dummies. */
function filledUp(resources: Parameters<typeof router>[0], count: number) {
  const own = Object.keys(router(resources)._def.procedures).length
  if (own > count) throw new Error(`There are ${own} procedures, more than ${count}`)
  const dummies = Array.from({ length: count - own }, (_, number) => [`dummy${number}`, dummy(number)] as const)
  return router({ ...resources, dummies: router(Object.fromEntries(dummies)) })
}

const { list, get: read, create, update, delete: remove } = assistantsRouter

/** What an assistant needs, and dummies. */
export const few = () =>
  filledUp({ assistants: router({ list, get: read, create, update, delete: remove }) }, procedureCounts.few)

/** All that there are, and dummies. */
export const many = () => filledUp({ ...restRouter._def.record }, procedureCounts.many)
