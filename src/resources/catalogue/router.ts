import { z } from 'zod'
import { dataResponse, doneResponse, listResponse } from '../../api/envelope.ts'
import { del, get, post, put } from '../../api/meta.ts'
import { Done, dataOf, pageOf, pageQuery } from '../../api/schemas.ts'
import { operatorProcedure, router } from '../../api/trpc.ts'
import type { CatalogueKind } from './kind.ts'
import {
  baseConfigKind,
  industryTemplateKind,
  layer2PresetKind,
  modelPriceKind,
  personalityKind,
  promptTemplateKind,
  toolKind,
} from './kinds.ts'
import { createEntry, deleteEntry, getEntry, listEntries, updateEntry } from './service.ts'

const liveErrors = { errors: ['tool_write_failed' as const] }

/** The five procedures of one kind (contract: catalogue 1), typed by its own schemas. */
function entriesRouter<Id, BodyIn, BodyOut extends Record<string, unknown>, UpdateIn, Entry>(
  kind: CatalogueKind<Id, BodyIn, BodyOut, UpdateIn, Entry>,
) {
  const [one, several] = kind.names
  const common = { tag: 'Operator: catalogue', document: 'accounts', extension: true } as const
  const ids = { id: 'catalogue_entry_not_found' } as const
  const all = `/admin/${kind.path}` as const
  const single = `${all}/{id}` as const
  const matches = [`admin.${kind.path.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}.get`]
  const Path = z.object({ id: kind.Id })
  const EntryResponse = dataOf(kind.Entry)
  return router({
    list: operatorProcedure
      .meta(get(all, `List ${several}`, common))
      .input(pageQuery)
      .output(pageOf(kind.Entry))
      .query(({ ctx, input }) => listResponse(listEntries(ctx, kind, input))),

    create: operatorProcedure
      .meta(post(all, `Create a ${one}`, { ...common, status: 201, ...(kind.live && liveErrors) }))
      .input(kind.Body)
      .output(EntryResponse)
      .mutation(({ ctx, input }) => dataResponse(createEntry(ctx, kind, input))),

    get: operatorProcedure
      .meta(get(single, `Get a ${one}`, { ...common, ids }))
      .input(Path)
      .output(EntryResponse)
      .query(({ ctx, input }) => dataResponse(getEntry(ctx, kind, input.id))),

    replace: operatorProcedure
      .meta(put(single, `Update a ${one}`, { ...common, ids, matches, ...(kind.live && liveErrors) }))
      .input(kind.Update)
      .output(EntryResponse)
      .mutation(({ ctx, input }) => dataResponse(updateEntry(ctx, kind, input))),

    delete: operatorProcedure
      .meta(
        del(single, `Delete a ${one}`, {
          message: 'Catalogue entry deleted successfully',
          ...common,
          ids,
          matches,
          errors: ['catalogue_entry_in_use', ...(kind.live ? liveErrors.errors : [])],
        }),
      )
      .input(Path)
      .output(Done)
      .mutation(({ ctx, input }) => doneResponse(ctx, deleteEntry(ctx, kind, input.id))),
  })
}

/** The catalogue, kept by operators. */
export const catalogueRouters = {
  promptTemplates: entriesRouter(promptTemplateKind),
  baseConfigs: entriesRouter(baseConfigKind),
  industryTemplates: entriesRouter(industryTemplateKind),
  layer2Presets: entriesRouter(layer2PresetKind),
  personalities: entriesRouter(personalityKind),
  tools: entriesRouter(toolKind),
  modelPrices: entriesRouter(modelPriceKind),
}
