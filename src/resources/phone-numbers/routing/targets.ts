import { and, eq, or } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../../api/context.ts'
import { ApiError } from '../../../api/errors/api-error.ts'
import { uuidPattern } from '../../../runtime/uuid.ts'
import { assistants } from '../../assistants/table.ts'
import { squads } from '../../squads/table.ts'
import type { NumberRow } from '../read/record.ts'
import type { UpdateInput } from '../schema.ts'
import { noTarget, type Targets, unknownTarget } from './routing.ts'

type Input = z.output<typeof UpdateInput>

const fields = ['voice_assistant_id', 'voice_squad_id', 'voice_workflow_id'] as const

/** The targets that a body sets; an empty text is no target. */
const named = (input: Input) => fields.filter((field) => input[field])

/** Throws the documented 422 when a body sets more than one target (contract: numbers 24). */
export function refuseTwoTargets(input: Input): void {
  if (named(input).length <= 1) return
  throw new ApiError('phone_targets_conflict', {
    fields: { voice_assistant_id: ['Only one inbound target may be set.'] },
  })
}

async function assistantTarget({ db }: AccountContext, workspaceId: number, id: string): Promise<Targets> {
  if (!uuidPattern.test(id)) throw unknownTarget('voice_assistant_id')
  const [found] = await db
    .select({ assistantId: assistants.id, voiceAssistantId: assistants.voiceAssistantId })
    .from(assistants)
    .where(
      and(
        eq(assistants.workspaceId, workspaceId),
        or(eq(assistants.voiceAssistantId, id), eq(assistants.assistantId, id)),
      ),
    )
  if (!found) throw unknownTarget('voice_assistant_id')
  return { ...noTarget, ...found }
}

async function squadTarget({ db }: AccountContext, workspaceId: number, id: string): Promise<Targets> {
  const [found] = await db
    .select({ squadId: squads.id, voiceSquadId: squads.externalSquadId })
    .from(squads)
    .where(
      and(
        eq(squads.workspaceId, workspaceId),
        eq(squads.externalSquadId, id.toLowerCase()),
        eq(squads.status, 'published'),
      ),
    )
  if (!found) throw unknownTarget('voice_squad_id')
  return { ...noTarget, ...found }
}

/**
 * Where calls go after a body: a target that it sets replaces the others, null clears its own, the rest stays.
 * An assistant or squad must belong to the number's account (contract: numbers 16). Throws 422 on its field.
 */
export async function targetsAfter(ctx: AccountContext, row: NumberRow, input: Input): Promise<Targets> {
  const { voice_assistant_id: assistant, voice_squad_id: squad, voice_workflow_id: workflow } = input
  if (assistant) return assistantTarget(ctx, row.workspaceId, assistant)
  if (squad) return squadTarget(ctx, row.workspaceId, squad)
  if (workflow) return { ...noTarget, voiceWorkflowId: workflow }
  const { assistantId, squadId, voiceAssistantId, voiceSquadId, voiceWorkflowId } = row
  return {
    ...(assistant === undefined ? { assistantId, voiceAssistantId } : { assistantId: null, voiceAssistantId: null }),
    ...(squad === undefined ? { squadId, voiceSquadId } : { squadId: null, voiceSquadId: null }),
    voiceWorkflowId: workflow === undefined ? voiceWorkflowId : null,
  }
}
