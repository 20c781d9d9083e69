import { dataResponse, doneResponse, listResponse, savedResponse } from '../../api/envelope.ts'
import { del, get, post, put } from '../../api/meta.ts'
import { Done } from '../../api/schemas.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { withoutUnchangedParts } from '../assistants/write/unchanged-parts.ts'
import { formOptions } from './options.ts'
import { previewAssistant } from './preview.ts'
import {
  BuildInput,
  BuiltListQuery,
  BuiltPage,
  BuiltPath,
  BuiltResponse,
  BuiltSaved,
  FormOptionsResponse,
  PreviewInput,
  PreviewResponse,
  RebuildInput,
  RebuiltSaved,
} from './schema.ts'
import { createBuilt, deleteBuilt, getBuilt, listBuilt, updateBuilt } from './service.ts'

const common = { tag: 'v2 builder', document: 'voice', feature: 'assistants' } as const
const matches = ['assistantBuilder.get', 'assistants.get']

const example = {
  request: {
    name: 'Front desk',
    industry_template_id: 1,
    layer2_key: 'receptionist',
    personality_id: 1,
    metadata: { company_name: 'Bright Smile Dental' },
    variable_values: { opening_hours: 'Monday to Friday, 8 am to 5 pm' },
  },
}

/** The layered builder (contract: builder 1). */
export const builderRouter = router({
  list: workspaceProcedure
    .meta(get('/v2/assistants', 'List assistants with how they were built', common))
    .input(BuiltListQuery)
    .output(BuiltPage)
    .query(({ ctx, input }) => listResponse(listBuilt(ctx, input))),

  formOptions: workspaceProcedure
    .meta(get('/v2/assistants/form-options', 'List the layers to build from', common))
    .output(FormOptionsResponse)
    .query(({ ctx }) => dataResponse(formOptions(ctx))),

  preview: workspaceProcedure
    .meta(
      post('/v2/assistants/preview', 'Check a configuration without creating anything', {
        message: 'Config is valid. You can create the assistant.',
        ...common,
        permission: 'read',
        errors: ['v2_no_base', 'v2_config_invalid'],
        example,
      }),
    )
    .input(PreviewInput)
    .output(PreviewResponse)
    .mutation(({ ctx, input }) => savedResponse(ctx, previewAssistant(ctx, input))),

  create: workspaceProcedure
    .meta(
      post('/v2/assistants', 'Build an assistant', {
        message: 'Assistant created successfully',
        ...common,
        status: 201,
        errors: [
          'v2_no_base',
          'v2_config_invalid',
          'assistant_quota_reached',
          'assistant_create_failed',
          'assistant_busy',
        ],
        example,
      }),
    )
    .input(BuildInput)
    .output(BuiltSaved)
    .mutation(({ ctx, input }) => savedResponse(ctx, createBuilt(ctx, input))),

  get: workspaceProcedure
    .meta(
      get('/v2/assistants/{assistantId}', 'Get an assistant with how it was built', {
        ...common,
        errors: ['v2_load_failed'],
      }),
    )
    .input(BuiltPath)
    .output(BuiltResponse)
    .query(({ ctx, input }) => dataResponse(getBuilt(ctx, input))),

  update: workspaceProcedure
    .meta(
      put('/v2/assistants/{assistantId}', 'Rebuild an assistant', {
        message: 'Assistant updated successfully',
        ...common,
        matches,
        withoutUnchanged: withoutUnchangedParts,
        errors: ['v2_not_built', 'v2_no_base', 'v2_config_invalid', 'assistant_update_failed', 'assistant_busy'],
        example: { request: { layer2_key: 'after-hours', variable_values: { opening_hours: 'Daily, 9 am to 6 pm' } } },
      }),
    )
    .input(RebuildInput)
    .output(RebuiltSaved)
    .mutation(({ ctx, input }) => savedResponse(ctx, updateBuilt(ctx, input))),

  delete: workspaceProcedure
    .meta(
      del('/v2/assistants/{assistantId}', 'Delete an assistant', {
        message: 'Assistant deleted',
        ...common,
        matches,
        errors: ['assistant_delete_failed', 'assistant_busy', 'assistant_in_squad'],
      }),
    )
    .input(BuiltPath)
    .output(Done)
    .mutation(({ ctx, input }) => doneResponse(ctx, deleteBuilt(ctx, input))),
})
