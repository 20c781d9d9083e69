import { hasAdminRole, isOperator } from '../../accounts/account.ts'
import { dataResponse, doneResponse, listResponse, savedResponse } from '../../api/envelope.ts'
import { del, get, post, put } from '../../api/meta.ts'
import { Done } from '../../api/schemas.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { reconciledResponse } from '../reconcile/response.ts'
import { reconcileAssistant } from './outside/reconcile.ts'
import { getAdvanced } from './read/advanced.ts'
import { listAssistants } from './read/list.ts'
import { getAssistant } from './read/written.ts'
import {
  AssistantPage,
  AssistantPath,
  AssistantResponse,
  AssistantSaved,
  ListQuery,
  Reconciled,
  ReconcileInput,
} from './schema.ts'
import { createAssistant } from './write/create.ts'
import { deleteAssistant } from './write/delete.ts'
import { AdvancedInput, CreateInput, UpdateInput } from './write/schema.ts'
import { withoutUnchangedParts } from './write/unchanged-parts.ts'
import { updateAssistant } from './write/update.ts'

const common = { tag: 'Assistants', document: 'voice', feature: 'assistants' } as const
const honours = { user_id: hasAdminRole }
const matches = ['assistants.get', 'assistants.getAdvanced']

/** Voice assistants: regular editor (contract: assistants 1). */
export const assistantsRouter = router({
  list: workspaceProcedure
    .meta(get('/assistants', 'List assistants', common))
    .input(ListQuery)
    .output(AssistantPage)
    .query(({ ctx, input }) => listResponse(listAssistants(ctx, input))),

  create: workspaceProcedure
    .meta(
      post('/assistants', 'Create an assistant', {
        example: {
          request: {
            name: 'Front desk',
            firstMessage: 'Hello, {{company_name}} here. How can I help?',
            endCallMessage: 'Thank you for calling. Goodbye!',
            model: { messages: [{ role: 'system', content: 'You answer the phone. We open at eight on weekdays.' }] },
            metadata: { company_name: 'Harbour Dental', industry: 'Dentistry' },
          },
        },
        message: 'Assistant created successfully',
        ...common,
        status: 201,
        honours,
        errors: ['assistant_quota_reached', 'assistant_create_failed', 'assistant_busy', 'phone_purchase_failed'],
      }),
    )
    .input(CreateInput)
    .output(AssistantSaved)
    .mutation(({ ctx, input }) => savedResponse(ctx, createAssistant(ctx, input))),

  get: workspaceProcedure
    .meta(get('/assistants/{assistantId}', 'Get an assistant', common))
    .input(AssistantPath)
    .output(AssistantResponse)
    .query(({ ctx, input }) => dataResponse(getAssistant(ctx, input))),

  update: workspaceProcedure
    .meta(
      put('/assistants/{assistantId}', 'Update an assistant', {
        example: {
          request: {
            name: 'Front desk',
            firstMessage: 'Good morning, {{company_name}}. What can I do for you?',
            metadata: { company_name: 'Harbour Dental' },
          },
        },
        message: 'Assistant updated successfully',
        ...common,
        matches,
        honours,
        withoutUnchanged: withoutUnchangedParts,
        errors: ['assistant_update_failed', 'assistant_busy', 'assistant_in_squad', 'assistant_named'],
      }),
    )
    .input(UpdateInput)
    .output(AssistantSaved)
    .mutation(({ ctx, input }) => savedResponse(ctx, updateAssistant(ctx, 'regular', input))),

  getAdvanced: workspaceProcedure
    .meta(get('/assistants/{assistantId}/advanced', 'Get an assistant with its live configuration', common))
    .input(AssistantPath)
    .output(AssistantResponse)
    .query(({ ctx, input }) => dataResponse(getAdvanced(ctx, input))),

  updateAdvanced: workspaceProcedure
    .meta(
      put('/assistants/{assistantId}/advanced', "Update an assistant's full configuration", {
        example: { request: { name: 'Front desk', maxDurationSeconds: 300 } },
        message: 'Assistant updated successfully',
        ...common,
        matches,
        honours: { ...honours, reseller_id: isOperator },
        withoutUnchanged: withoutUnchangedParts,
        errors: ['assistant_update_failed', 'assistant_busy', 'assistant_in_squad', 'assistant_named'],
      }),
    )
    .input(AdvancedInput)
    .output(AssistantSaved)
    .mutation(({ ctx, input }) => savedResponse(ctx, updateAssistant(ctx, 'advanced', input))),

  reconcile: workspaceProcedure
    .meta(
      post('/assistants/{assistantId}/reconcile', 'Bring an assistant and its live object together', {
        message: 'Assistant reconciled successfully',
        ...common,
        matches,
        extension: true,
        errors: ['assistant_update_failed', 'assistant_delete_failed', 'assistant_busy', 'assistant_in_squad'],
      }),
    )
    .input(ReconcileInput)
    .output(Reconciled)
    .mutation(({ ctx, input }) => reconciledResponse(ctx, 'deleted', reconcileAssistant(ctx, input))),

  delete: workspaceProcedure
    .meta(
      del('/assistants/{assistantId}', 'Delete an assistant', {
        message: 'Assistant deleted successfully',
        ...common,
        matches,
        errors: ['assistant_delete_failed', 'assistant_busy', 'assistant_in_squad'],
      }),
    )
    .input(AssistantPath)
    .output(Done)
    .mutation(({ ctx, input }) => doneResponse(ctx, deleteAssistant(ctx, input))),
})
