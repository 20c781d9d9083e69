/**
 * Every error that the API answers, once: its status, its exact text and what its body carries besides.
 * `{detail}` in a text is filled by the thrower. `success` marks bodies of the form `{success: false, message}`;
 * the others are `{message}` (contract: rest 13).
 */
export interface ErrorEntry {
  status: number
  message: string
  success?: false
  /** Constant keys of the body, such as `code`. */
  extra?: Record<string, unknown>
  headers?: Record<string, string>
}

/** The official chat-completions clients send 409s and 5xx again unless they are told not to. */
const finalResponse = { 'x-should-retry': 'false' }

const catalogue = {
  // Transport
  route_not_found: { status: 404, message: 'No such path.' },
  method_not_allowed: { status: 405, message: 'This path does not answer that method.' },
  malformed_body: { status: 400, message: 'The body is not valid JSON.' },
  malformed_form: { status: 400, message: 'The body is not a valid form.' },
  batch_too_large: { status: 400, message: 'One request holds at most {detail} calls.' },
  body_too_late: {
    status: 408,
    message: 'The body did not arrive in time.',
    headers: { connection: 'close' },
  },
  body_too_large: { status: 413, message: 'The body is too large: at most {detail}.' },
  unsupported_media_type: { status: 415, message: 'Unsupported content type: send {detail}.' },
  validation_failed: { status: 422, message: '{detail}' },
  internal_error: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  database_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable. Please try again.',
    headers: { 'retry-after': '2' },
  },

  // Callers
  unauthenticated: { status: 401, message: 'Unauthenticated.', headers: { 'www-authenticate': 'Bearer' } },
  email_not_verified: {
    status: 409,
    message: 'Your e-mail address is not verified yet.',
    extra: { code: 'EMAIL_NOT_VERIFIED' },
    headers: finalResponse,
  },
  feature_disabled: {
    status: 403,
    message: 'The feature {detail} is not enabled for this account.',
    success: false,
  },
  operator_only: { status: 403, message: 'Only an operator may do this.', success: false },
  scope_missing: { status: 403, message: 'This token does not have the scope {detail}.', success: false },
  permission_denied: { status: 403, message: 'Your workspace role does not allow this change.', success: false },
  too_many_requests: { status: 429, message: 'Too Many Attempts.' },

  // Idempotency-Key
  idempotency_key_invalid: {
    status: 422,
    message: 'The Idempotency-Key header must be 1 to 255 characters.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another body.',
  },
  idempotency_key_running: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running.',
  },

  // Imports
  import_not_found: { status: 404, message: 'Import not found', success: false },
  import_running: { status: 409, message: 'Another import is still running.', success: false },
  import_unavailable: {
    status: 502,
    message: 'The live platform could not be read. Please try again.',
    success: false,
  },

  // If-Match
  precondition_failed: { status: 412, message: 'The resource has changed since it was read.' },

  // Accounts
  reseller_not_found: { status: 404, message: 'Reseller not found', success: false },
  workspace_not_found: { status: 404, message: 'Workspace not found', success: false },
  user_not_found: { status: 404, message: 'User not found', success: false },
  token_not_found: { status: 404, message: 'Token not found', success: false },
  payment_conflict: {
    status: 409,
    message: 'This payment_id was already credited with another amount or to another workspace.',
    success: false,
  },

  // Billing (contract: billing 8, billing 9): where the caller pays and where another's balance is spent
  usd_balance_empty: {
    status: 402,
    message: 'Your USD balance is empty. Please recharge to continue.',
    extra: { error: true, insufficient_tokens: true, payer_is_self: true },
  },
  token_limit_reached: {
    status: 402,
    message: 'You are not subscribed or your token limit is reached. Please recharge to continue.',
    extra: { error: true, insufficient_tokens: true, payer_is_self: true },
  },
  budget_exceeded: {
    status: 402,
    message: 'The budget is used up: {detail}.',
    extra: { error: true, insufficient_tokens: true, payer_is_self: true },
  },
  budgeted_token: { status: 403, message: 'A token that has a budget makes no other tokens.', success: false },
  own_budget: { status: 403, message: 'A token does not set its own budget. Use another one.', success: false },
  workspace_out_of_usd: {
    status: 402,
    message: 'This workspace is out of USD. Please ask the workspace owner to recharge.',
    extra: { error: true, insufficient_tokens: true, payer_is_self: false },
  },
  workspace_out_of_tokens: {
    status: 402,
    message: 'This workspace is out of tokens. Please ask the workspace owner to recharge.',
    extra: { error: true, insufficient_tokens: true, payer_is_self: false },
  },

  // Profile
  invalid_upload: { status: 400, message: 'Invalid file upload', success: false },
  profile_update_failed: { status: 500, message: 'Failed to update profile: {detail}', success: false },
  picture_not_found: { status: 404, message: 'Picture not found', success: false },

  // Catalogue
  catalogue_entry_not_found: { status: 404, message: 'Catalogue entry not found', success: false },
  tool_write_failed: {
    status: 502,
    message: 'Failed to write the tool on the voice platform. Please try again.',
    success: false,
  },
  catalogue_entry_in_use: { status: 409, message: 'This entry is in use by {detail}.', success: false },

  // Assistants
  assistant_not_found: { status: 404, message: 'Assistant not found', success: false },
  assistant_quota_reached: {
    status: 403,
    message: 'The assistant quota of {detail} is reached.',
    success: false,
  },
  assistant_create_failed: {
    status: 500,
    message: 'Failed to create assistant in Cloud. Please try again.',
    success: false,
  },
  assistant_update_failed: {
    status: 500,
    message: 'Failed to update assistant in Cloud: {detail}',
    success: false,
  },
  assistant_delete_failed: {
    status: 500,
    message: 'Failed to delete the assistant from the voice platform. Please try again.',
    success: false,
  },
  assistant_busy: {
    status: 409,
    message: 'Other changes of this assistant are still under way. Please try again.',
    success: false,
  },
  version_not_found: { status: 404, message: 'Version not found', success: false },
  version_unknown: { status: 422, message: 'Version not found for this assistant.', success: false },
  version_current: { status: 422, message: 'This version is already the current configuration.', success: false },
  version_not_restorable: {
    status: 422,
    message: 'This version has no restorable configuration.',
    success: false,
  },
  history_unavailable: {
    status: 502,
    message: 'The configuration history is unavailable. Please try again.',
    success: false,
  },
  assistant_in_squad: {
    status: 409,
    message: 'This assistant is a member of the squad {detail}. Take it out of there first.',
    success: false,
  },

  // Phone numbers
  phone_number_not_found: { status: 404, message: 'Phone number configuration not found.', success: false },
  phone_targets_conflict: {
    status: 422,
    message: 'Choose only one inbound target — an assistant, a squad, or a workflow.',
    success: false,
  },
  phone_number_not_registered: {
    status: 422,
    message: 'This phone number is not registered on the voice platform yet, so its configuration cannot be edited.',
    success: false,
  },
  phone_number_not_callable: {
    status: 422,
    message: 'This phone number is not registered on the voice platform yet, so it cannot be called.',
    success: false,
  },
  phone_number_rejected: { status: 422, message: '{detail}', success: false },
  phone_number_update_failed: {
    status: 502,
    message: 'Failed to update the phone number. Please try again.',
    success: false,
  },
  phone_number_release_failed: {
    status: 502,
    message: 'Failed to release the phone number. Please try again.',
    success: false,
  },
  phone_number_busy: {
    status: 409,
    message: 'Other changes of this phone number are still under way. Please try again.',
    success: false,
  },
  phone_purchase_failed: { status: 500, message: 'Failed to purchase phone number: {detail}', success: false },
  carrier_unavailable: {
    status: 502,
    message: 'The carrier does not answer at the moment. Please try again.',
    success: false,
  },

  // Squads
  squad_not_found: { status: 404, message: 'Squad not found', success: false },
  squad_invalid: { status: 422, message: 'Squad payload invalid: {detail}', success: false },
  squad_not_published: { status: 422, message: 'This squad is a draft. Publish it to call it.', success: false },
  squad_publish_failed: { status: 502, message: 'Failed to publish the squad. Please try again.', success: false },
  squad_delete_failed: { status: 502, message: 'Failed to delete the squad. Please try again.', success: false },
  squad_busy: {
    status: 409,
    message: 'Other changes of this squad are still under way. Please try again.',
    success: false,
  },

  // Calls
  stats_failed: { status: 500, message: 'Failed to get assistant statistics', success: false },
  calls_unavailable: { status: 502, message: 'Calls are unavailable: {detail}', success: false },
  test_calls_unavailable: {
    status: 501,
    message: 'This voice platform cannot simulate calls. Call the assistant to test it.',
    success: false,
  },
  conversation_not_found: { status: 404, message: 'Conversation not found', success: false },
  delivery_not_found: { status: 404, message: 'Delivery not found', success: false },

  // Website widget
  widget_not_found: { status: 404, message: 'No website widget has this key.', success: false },
  widget_origin_refused: { status: 403, message: 'This website may not use this widget.', success: false },
  widget_disabled: { status: 403, message: 'This website widget is switched off.', success: false },
  widget_reply_failed: { status: 502, message: 'The assistant could not answer. Please try again.', success: false },

  // The v2 builder
  v2_no_base: {
    status: 422,
    message:
      'base_config_id is required, or provide prompt_template_id or industry_template_id whose template has a base config.',
    success: false,
  },
  v2_config_invalid: { status: 422, message: 'Configuration validation failed', success: false },
  v2_load_failed: { status: 502, message: 'Failed to load assistant from Cloud', success: false },
  v2_not_built: {
    status: 422,
    message: 'Cannot update: no base_config_id (assistant was not created via v2).',
    success: false,
  },

  // Agents
  agent_not_found: { status: 404, message: 'Agent not found.' },
  agent_edit_denied: { status: 403, message: 'You do not have edit access to this agent.' },
  agent_owner_only: { status: 403, message: 'Only the owner of this agent may do this.' },
  agent_mcp_denied: { status: 403, message: 'You do not have MCP access to this agent.' },
  note_not_found: { status: 404, message: 'Note not found.' },
  share_not_found: { status: 404, message: 'Share not found.' },
  share_user_not_found: { status: 404, message: 'User not found.' },
  chat_not_found: { status: 404, message: 'Chat not found.' },
  generation_failed: {
    status: 422,
    message: 'The assistant could not generate a response. Please try again.',
    extra: { error: true },
  },
  completion_failed: {
    status: 500,
    message: 'The assistant could not generate a response. Please try again.',
    headers: finalResponse,
  },
  model_not_found: { status: 404, message: 'The requested model does not exist. See GET /models.' },
  streaming_unsupported: { status: 400, message: 'Streaming is not supported. Set stream to false or leave it out.' },
  no_user_message: { status: 400, message: 'messages must contain at least one message with the role user.' },

  // Connectors
  connector_not_found: { status: 404, message: 'Connector not found.' },
  tool_not_found: { status: 404, message: 'Tool not found.' },

  // Knowledge files
  file_not_found: { status: 404, message: 'File not found.' },
  file_type_unsupported: { status: 422, message: 'Unsupported file type. Allowed: {detail}.' },
} as const satisfies Record<string, ErrorEntry>

export type ErrorName = keyof typeof catalogue

export const errorNames = Object.keys(catalogue) as ErrorName[]

/** The catalogue's entry of a name. */
export const errorEntry = (name: ErrorName): ErrorEntry => catalogue[name]
