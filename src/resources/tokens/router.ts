import { dataResponse, doneResponse, listResponse } from '../../api/envelope.ts'
import { del, get, post } from '../../api/meta.ts'
import { Done, pageQuery } from '../../api/schemas.ts'
import { operatorProcedure, router, workspaceProcedure } from '../../api/trpc.ts'
import {
  CreateOwnTokenInput,
  CreateUserTokenInput,
  NewTokenResponse,
  OwnTokenPath,
  TokenPage,
  UserTokenPath,
  UserTokenQuery,
} from './schema.ts'
import {
  createOwnToken,
  createUserToken,
  deleteOwnToken,
  deleteUserToken,
  listOwnTokens,
  listUserTokens,
} from './service.ts'

const own = { tag: 'Tokens', document: 'accounts', extension: true } as const
const operated = { tag: 'Operator: users', document: 'accounts', extension: true } as const

/** The caller's own tokens (contract: accounts 15). They are personal: a viewer has them too. */
export const tokensRouter = router({
  list: workspaceProcedure
    .meta(get('/user/tokens', 'List your tokens', own))
    .input(pageQuery)
    .output(TokenPage)
    .query(({ ctx, input }) => listResponse(listOwnTokens(ctx, input))),

  create: workspaceProcedure
    .meta(
      post('/user/tokens', 'Create a token', {
        example: { request: { name: 'laptop', scopes: ['read', 'assistants:write'] } },
        ...own,
        status: 201,
        errors: ['budgeted_token'],
      }),
    )
    .input(CreateOwnTokenInput)
    .output(NewTokenResponse)
    .mutation(({ ctx, input }) => dataResponse(createOwnToken(ctx, input))),

  delete: workspaceProcedure
    .meta(
      del('/user/tokens/{id}', 'Revoke a token', {
        message: 'Token deleted successfully',
        ...own,
        ids: { id: 'token_not_found' },
      }),
    )
    .input(OwnTokenPath)
    .output(Done)
    .mutation(({ ctx, input }) => doneResponse(ctx, deleteOwnToken(ctx, input))),
})

/** The tokens of any user, kept by operators (contract: accounts 21). */
export const userTokensRouter = router({
  list: operatorProcedure
    .meta(get('/admin/users/{id}/tokens', "List a user's tokens", { ...operated, ids: { id: 'user_not_found' } }))
    .input(UserTokenQuery)
    .output(TokenPage)
    .query(({ ctx, input }) => listResponse(listUserTokens(ctx, input))),

  create: operatorProcedure
    .meta(
      post('/admin/users/{id}/tokens', 'Create a token for a user', {
        example: { request: { name: 'laptop' } },
        ...operated,
        status: 201,
        ids: { id: 'user_not_found' },
        errors: ['budgeted_token'],
      }),
    )
    .input(CreateUserTokenInput)
    .output(NewTokenResponse)
    .mutation(({ ctx, input }) => dataResponse(createUserToken(ctx, input))),

  delete: operatorProcedure
    .meta(
      del('/admin/users/{id}/tokens/{token_id}', "Revoke a user's token", {
        message: 'Token deleted successfully',
        ...operated,
        ids: { id: 'user_not_found', token_id: 'token_not_found' },
      }),
    )
    .input(UserTokenPath)
    .output(Done)
    .mutation(({ ctx, input }) => doneResponse(ctx, deleteUserToken(ctx, input))),
})
