import type { z } from 'zod'
import type { AccountContext } from '../../../api/context.ts'
import type { AssistantRowData } from '../read/find.ts'
import { loadSources, type Sources } from '../rendering/sources.ts'
import { spokenFields } from '../rendering/spoken-texts.ts'
import { type Draft, draftOf } from './draft.ts'
import { withCurrentTexts, withLayeredTexts } from './layered-texts.ts'
import type { WriteBody } from './schema.ts'
import { placeMessages } from './sent-messages.ts'

/**
 * The stored assistant with an editor's body put onto it, `said` being what it says anew. Where v2 built it, a body
 * that names another template, or says another prompt, has the layers' texts change as a rebuild with it does;
 * otherwise what operators rewrote of them since arrives with the save, as the prompt does. `sources` are what these
 * texts are of, to be rendered with them. Throws what `draftOf` throws.
 */
export async function editedDraft(
  ctx: AccountContext,
  row: AssistantRowData,
  said: z.output<typeof WriteBody>,
  workspaceId: number,
): Promise<{ draft: Draft; sources?: Sources }> {
  const { body, stored } = await placeMessages(ctx, row, said)
  const draft = await draftOf(ctx, { ...row, ...stored }, body, workspaceId)
  const spoken = draft.templateId !== row.templateId || draft.kept?.template !== row.kept?.template
  const isPrompted = draft.build?.request.system_prompt !== row.build?.request.system_prompt
  if (!draft.build) return { draft }
  const own = spokenFields.filter((field) => body[field] !== undefined)
  const sources = await loadSources(ctx.db, draft)
  if (spoken) return { draft: withLayeredTexts(draft, sources, { spoken, own }), sources }
  const current = withCurrentTexts(draft, sources, { own, before: row.templateTexts })
  if (!isPrompted && body.model?.messages !== null) return { draft: current, sources }
  return { draft: withLayeredTexts(current, sources, { spoken, own }), sources }
}
