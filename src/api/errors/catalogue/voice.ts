import type { ErrorEntry } from '../entry.ts'

/** Errors of voice assistants and of all that belongs to them. */
export const voice = {
  // Imports
  import_not_found: { status: 404, message: 'Import not found', success: false },
  import_running: { status: 409, message: 'Another import is still running.', success: false },
  import_unavailable: {
    status: 502,
    message: 'The live platform could not be read. Please try again.',
    success: false,
  },

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
    fixed: true,
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
    fixed: true,
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
  assistant_named: {
    status: 409,
    message: 'This assistant is named by the {detail}. Take it out of there first.',
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
    fixed: true,
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
  squad_named: {
    status: 409,
    message: 'This squad is named by the {detail}. Take it out of there first.',
    success: false,
  },
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
} as const satisfies Record<string, ErrorEntry>
