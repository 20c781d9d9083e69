/** The column that says whose a row is. */
export const key = 'workspace_id'

/**
 * Small or read by everybody, and seldom written: whole on every server. A token is looked for before its workspace is
 * known, and an agent of one workspace uses the connectors that operators of another offer.
 */
export const everywhere = [
  'resellers',
  'workspaces',
  'users',
  'tokens',
  'connectors',
  'base_configs',
  'layer2_presets',
  'personalities',
  'prompt_templates',
  'industry_templates',
] as const

/** Texts that this server makes at random, so that no two workspaces ever have the same. */
export const random = [
  'holds.turn_id',
  'assistants.public_key',
  'squads.external_squad_id',
  'knowledge_files.storage_key',
] as const

/**
 * Work of all workspaces that is claimed with one statement, which locks rows; Citus locks those of one server at a
 * time.
 */
export const claimed = ['webhook_deliveries', 'phone_numbers', 'phone_number_purchases', 'imports'] as const

/** Tables whose rows learn their workspace only as they are inserted, which is too late to choose a server by it. */
export const lookedUp = ['audit_entries', 'platform_calls'] as const

/**
 * Foreign keys that may go, as the code keeps what they say: both sides take the row of the assistant, or of the squad.
 */
export const keptByCode = [
  'phone_numbers_assistant_id_assistants_id_fk',
  'phone_numbers_squad_id_squads_id_fk',
  'squad_assistants_assistant_id_assistants_id_fk',
] as const
