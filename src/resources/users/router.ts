import { dataResponse, listResponse } from '../../api/envelope.ts'
import { get, patch, post } from '../../api/meta.ts'
import { operatorProcedure, router } from '../../api/trpc.ts'
import { getUser, listUsers } from './find.ts'
import { CreateUserInput, UpdateUserInput, UserPage, UserPath, UserQuery, UserResponse } from './schema.ts'
import { createUser, updateUser } from './service.ts'

const common = { tag: 'Operator: users', document: 'accounts', extension: true } as const
const ids = { id: 'user_not_found' } as const

/** Users, kept by operators (contract: accounts 19). */
export const usersRouter = router({
  list: operatorProcedure
    .meta(get('/admin/users', 'List users', common))
    .input(UserQuery)
    .output(UserPage)
    .query(({ ctx, input }) => listResponse(listUsers(ctx, input))),

  create: operatorProcedure
    .meta(
      post('/admin/users', 'Create a user', {
        example: { request: { name: 'Ada Lovelace', email: 'ada@example.com' } },
        ...common,
        status: 201,
      }),
    )
    .input(CreateUserInput)
    .output(UserResponse)
    .mutation(({ ctx, input }) => dataResponse(createUser(ctx, input))),

  get: operatorProcedure
    .meta(get('/admin/users/{id}', 'Get a user', { ...common, ids }))
    .input(UserPath)
    .output(UserResponse)
    .query(({ ctx, input }) => dataResponse(getUser(ctx, input))),

  update: operatorProcedure
    .meta(patch('/admin/users/{id}', 'Update a user', { ...common, ids, matches: ['admin.users.get'] }))
    .input(UpdateUserInput)
    .output(UserResponse)
    .mutation(({ ctx, input }) => dataResponse(updateUser(ctx, input))),
})
