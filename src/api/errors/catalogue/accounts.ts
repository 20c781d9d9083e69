import type { ErrorEntry } from '../entry.ts'

/** Errors of accounts, of what they pay, and of profiles. */
export const accounts = {
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
  budget_by_budgeted: { status: 403, message: 'A token that has a budget sets no budgets.', success: false },
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
} as const satisfies Record<string, ErrorEntry>
