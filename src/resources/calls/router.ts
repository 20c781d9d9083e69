import { dataResponse, listResponse } from '../../api/envelope.ts'
import { get, post } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { spendingErrors } from '../billing/spend.ts'
import {
  CallListInput,
  CallPage,
  CallResponse,
  NumberTestCallInput,
  SquadTestCallInput,
  TestCallInput,
} from './schema.ts'
import { listCalls, runNumberTestCall, runSquadTestCall, runTestCall } from './service.ts'

const common = { tag: 'Calls', document: 'voice', feature: 'assistants', extension: true } as const
const testing = { ...common, status: 201, rate: 'turn' } as const
const testErrors = ['test_calls_unavailable', ...spendingErrors, 'calls_unavailable'] as const

/** Calls of assistants, squads and numbers (contract: calls 1). */
export const callsRouter = router({
  list: workspaceProcedure
    .meta(
      get('/assistants/{assistantId}/calls', "List an assistant's calls", { ...common, errors: ['calls_unavailable'] }),
    )
    .input(CallListInput)
    .output(CallPage)
    .query(({ ctx, input }) => listResponse(listCalls(ctx, input))),

  test: workspaceProcedure
    .meta(
      post('/assistants/{assistantId}/test-calls', 'Run a simulated call', {
        example: { request: { messages: ['When do you open?', 'Thank you, goodbye.'] } },
        ...testing,
        errors: [...testErrors],
        description:
          'Calls the assistant over its phone number, or from the web when it has none. Its webhook receives what a real call sends. The workspace of the assistant pays for the replies.',
      }),
    )
    .input(TestCallInput)
    .output(CallResponse)
    .mutation(({ ctx, input }) => dataResponse(runTestCall(ctx, input))),

  testSquad: workspaceProcedure
    .meta(
      post('/squads/{id}/test-calls', 'Run a simulated call to a squad', {
        example: { request: { messages: ['I have a question about my invoice.'] } },
        ...testing,
        feature: 'squads',
        ids: { id: 'squad_not_found' },
        errors: ['squad_not_published', ...testErrors],
        description:
          'Calls a published squad from the web: its first member answers, and hands over as its destinations say. The workspace of the squad pays for the replies.',
      }),
    )
    .input(SquadTestCallInput)
    .output(CallResponse)
    .mutation(({ ctx, input }) => dataResponse(runSquadTestCall(ctx, input))),

  testNumber: workspaceProcedure
    .meta(
      post('/phone-numbers/{id}/test-calls', 'Run a simulated call to a phone number', {
        example: { request: { scenario: 'booking' } },
        ...testing,
        feature: 'phone_numbers',
        ids: { id: 'phone_number_not_found' },
        errors: ['phone_number_not_callable', ...testErrors],
        description:
          'Calls a number: its hooks, its assistant or squad, its server or its fallback destination take the call, as for a real caller. The workspace of the number pays for the replies.',
      }),
    )
    .input(NumberTestCallInput)
    .output(CallResponse)
    .mutation(({ ctx, input }) => dataResponse(runNumberTestCall(ctx, input))),
})
