import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import { beforeAll, expect, expectTypeOf, test } from 'vitest'
import type { AppRouter } from '../../src/router.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

/** The official client, over the application's own handler. */
const clientOf = (token: string) =>
  createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: 'http://localhost/trpc',
        headers: { authorization: `Bearer ${token}` },
        async fetch(url, init) {
          const { method = 'GET', body, headers } = init ?? {}
          const { pathname, search } = new URL(String(url))
          return app.send(method, pathname + search, {
            body: body ?? undefined,
            headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
          })
        },
      }),
    ],
  })

test('a typed client sees the fields of each kind', async () => {
  const api = clientOf((await newUser(app.database, { role: 'admin' })).token)
  const made = await api.admin.promptTemplates.create.mutate({ name: 'Greeter', prompt: 'You greet.' })
  expectTypeOf(made.data.first_message).toEqualTypeOf<string | null>()
  expectTypeOf(made.data.variables).toEqualTypeOf<string[]>()
  expectTypeOf<typeof made.data>().not.toHaveProperty('overrides')
  expect(made.data).toMatchObject({ name: 'Greeter', first_message: null, base_config_id: null, variables: [] })

  const { id } = made.data
  expectTypeOf(id).toEqualTypeOf<number>()
  const replaced = await api.admin.promptTemplates.replace.mutate({
    id,
    name: 'Greeter',
    prompt: 'x',
    variables: ['a'],
  })
  expect(replaced.data).toMatchObject({ id, prompt: 'x', variables: ['a'] })

  const tool = await api.admin.tools.create.mutate({
    label: 'End call',
    description: 'Hangs up',
    type: 'endCall',
    scope: 'global',
  })
  expectTypeOf(tool.data.id).toEqualTypeOf<string>()
  expectTypeOf(tool.data.scope).toEqualTypeOf<'own' | 'global'>()
  expect(tool.data).toMatchObject({ locked: false, owner_id: null, definition: null })

  const page = await api.admin.modelPrices.list.query({ per_page: 1 })
  expectTypeOf(page.data).items.toHaveProperty('prompt_usd_per_million').toEqualTypeOf<number>()
  expect(page.pagination.per_page).toBe(1)

  expect(await api.admin.promptTemplates.delete.mutate({ id })).toEqual({
    success: true,
    message: 'Catalogue entry deleted successfully',
  })
})

test('a refusal carries the REST body', async () => {
  const api = clientOf((await newUser(app.database, { role: 'admin' })).token)
  const refused = await api.admin.industryTemplates.create
    // @ts-expect-error base_config_id is required
    .mutate({ name: 'Dental', prompt: 'You book.' })
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(TRPCClientError)
  expect(refused).toMatchObject({
    data: {
      httpStatus: 422,
      body: {
        message: 'The base_config_id field is required.',
        errors: { base_config_id: ['The base_config_id field is required.'] },
      },
    },
  })
})

test('accounts over tRPC, in one batch', async () => {
  const user = await newUser(app.database, { role: 'admin' })
  const api = clientOf(user.token)
  const [profile, made] = await Promise.all([
    api.profile.get.query(),
    api.admin.users.create.mutate({ name: 'Ada', email: `ada-${crypto.randomUUID()}@example.com` }),
  ])
  expect(profile.data.id).toBe(user.userId)
  expectTypeOf<typeof profile.data>().not.toHaveProperty('features')
  expectTypeOf(made.data.workspace_role).toEqualTypeOf<'owner' | 'editor' | 'viewer'>()
  const token = await api.admin.tokens.create.mutate({ id: made.data.id })
  expect((await clientOf(token.data.token).profile.get.query()).data.email).toBe(made.data.email)
})

test("someone else gets the REST face's 403", async () => {
  const api = clientOf((await newUser(app.database, { role: 'reseller_admin' })).token)
  await expect(api.admin.users.list.query({})).rejects.toMatchObject({
    data: { httpStatus: 403, body: { success: false, message: 'Only an operator may do this.' } },
  })
})
