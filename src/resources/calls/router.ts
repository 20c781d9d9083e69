import { dataResponse, listResponse } from '../../api/envelope.ts'
import { get, post } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { outOfFundsErrors } from '../billing/spend.ts'
import { CallListInput, CallPage, CallResponse, TestCallInput } from './schema.ts'
import { listCalls, runTestCall } from './service.ts'

const common = { tag: 'Calls', document: 'voice', feature: 'assistants', extension: true } as const
const ids = { assistantId: 'assistant_not_found' } as const

/** An assistant's calls (contract: calls 1). */
export const callsRouter = router({
  list: workspaceProcedure
    .meta(
      get('/assistants/{assistantId}/calls', "List an assistant's calls", {
        ...common,
        ids,
        permission: 'read',
        errors: ['calls_unavailable'],
      }),
    )
    .input(CallListInput)
    .output(CallPage)
    .query(({ ctx, input }) => listResponse(listCalls(ctx, input))),

  test: workspaceProcedure
    .meta(
      post('/assistants/{assistantId}/test-calls', 'Run a simulated call', {
        example: { request: { messages: ['When do you open?', 'Thank you, goodbye.'] } },
        ...common,
        ids,
        permission: 'write',
        status: 201,
        rate: 'turn',
        errors: ['test_calls_unavailable', ...outOfFundsErrors, 'calls_unavailable'],
        description:
          'Calls the assistant over its phone number, or from the web when it has none. Its webhook receives what a real call sends. The workspace of the assistant pays for the replies.',
      }),
    )
    .input(TestCallInput)
    .output(CallResponse)
    .mutation(({ ctx, input }) => dataResponse(runTestCall(ctx, input))),
})
