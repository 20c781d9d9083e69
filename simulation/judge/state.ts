import type { DatabaseHandle } from '../../src/db/client.ts'
import { leavesContext } from '../../src/voice-platform/drift/findings.ts'
import { vault } from '../instance.ts'

export interface AssistantState {
  id: number
  ref: string
  liveId: string
  name: string
  live: Record<string, unknown>
  /** What the record itself says of the duration. */
  seconds: string | null
  /** Every entry of its history, as text. */
  history: string
  /** The same, by what each left; oldest first. */
  versions: {
    name: string
    greeting: string | null
    seconds: string | null
    source: string
    action: string
    live: string
  }[]
}

export interface NumberState {
  number: string
  purchaseRef: string
  carrierId: string
  liveId: string | null
  status: string
  name: string | null
  targetLiveId: string | null
  target: number | null
  squadLiveId: string | null
  squad: number | null
}

export interface SquadState {
  id: number
  ref: string
  liveId: string
  name: string
  status: string
  live: { members: { assistantId: string; assistantDestinations?: { assistantName: string }[] }[] } | null
  /** By their public ids. */
  members: string[]
  /** The assistants that it is noted to name, which cannot be deleted. */
  named: number[]
}

export interface DriftState {
  kind: string
  ref: string | null
  liveId: string
  difference: string
  leaves: string
}

/** Our side, as the database has it. */
export interface State {
  assistants: AssistantState[]
  numbers: NumberState[]
  squads: SquadState[]
  /** What differs now. */
  drifts: DriftState[]
  /** What ever did, as it was told. */
  everDrifts: DriftState[]
}

/** Reads our side. */
export async function readState({ sql }: DatabaseHandle): Promise<State> {
  const assistants = await sql<AssistantState[]>`
    select a.id, a.assistant_id as ref, a.voice_assistant_id as "liveId", a.name, a.live,
      a.config->>'maxDurationSeconds' as seconds,
      coalesce((select string_agg(v.configuration::text, ' ') from assistant_versions v where v.assistant_id = a.id), '') as history,
      (select coalesce(json_agg(json_build_object('name', v.configuration->>'name', 'source', v.source, 'action', v.action,
        'greeting', v.configuration->'live'->>'firstMessage', 'seconds', v.configuration->'live'->>'maxDurationSeconds', 'live', v.configuration->>'live') order by v.id), '[]') from assistant_versions v
        where v.assistant_id = a.id and v.configuration is not null) as versions
    from assistants a order by a.id`
  const numbers = await sql<NumberState[]>`
    select phone_number as number, purchase_ref as "purchaseRef", carrier_id as "carrierId", name, status,
      voice_phone_number_id as "liveId", voice_assistant_id as "targetLiveId", assistant_id as target,
      voice_squad_id as "squadLiveId", squad_id as squad
    from phone_numbers order by id`
  const squads = await sql<SquadState[]>`
    select s.id, s.ref, s.external_squad_id as "liveId", s.name, s.status, s.live,
      (select coalesce(json_agg(member->>'assistantId'), '[]') from jsonb_array_elements(s.members) as member) as members,
      (select coalesce(json_agg(n.assistant_id), '[]') from squad_assistants n where n.squad_id = s.id) as named
    from squads s order by s.id`
  const drifts = await sql<(DriftState & { state: string })[]>`
    select kind, ref, live_id as "liveId", difference, leaves, state from drifts order by id`
  const everDrifts = drifts.map((drift) => ({ ...drift, leaves: vault.open(drift.leaves, leavesContext) }))
  return {
    assistants: [...assistants],
    numbers: [...numbers],
    squads: [...squads],
    drifts: everDrifts.filter(({ state }) => state === 'open'),
    everDrifts,
  }
}

/** What is still under way in the database, in words. */
export async function unfinished({ sql }: DatabaseHandle): Promise<string[]> {
  const rows = await sql<{ what: string }[]>`
    select 'live write of ' || kind || ' ' || ref || ': ' || coalesce(last_error, '') as what from live_writes
    union all select 'number ' || phone_number || ': ' || coalesce(sync_error, '') from phone_numbers where sync_due_at is not null
    union all select 'purchase of ' || phone_number || ': ' || coalesce(last_error, '') from phone_number_purchases
    union all select 'hold of ' || turn_id from holds`
  return rows.map(({ what }) => what)
}
