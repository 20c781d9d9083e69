import { dataResponse, doneResponse, listResponse, savedResponse } from '../../api/envelope.ts'
import { del, get, post, put } from '../../api/meta.ts'
import { Done } from '../../api/schemas.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { reconciledResponse } from '../reconcile/response.ts'
import { reconcileNumber } from './outside/reconcile.ts'
import { getNumber, listNumbers } from './read/find.ts'
import {
  AvailableQuery,
  AvailableResponse,
  BuyInput,
  ListQuery,
  PhoneNumberPage,
  PhoneNumberPath,
  PhoneNumberReconciled,
  PhoneNumberResponse,
  PhoneNumberSaved,
  ReconcileInput,
  UpdateInput,
} from './schema.ts'
import { availableNumbers, buyNumber, releaseNumber } from './service.ts'
import { updateNumber } from './write/configure.ts'

const common = { tag: 'Phone numbers', document: 'voice', feature: 'phone_numbers' } as const
const ids = { id: 'phone_number_not_found' } as const
const matches = ['phoneNumbers.get']

/** Phone numbers: bought at a carrier, registered on the live platform, routed to whoever takes the call. */
export const phoneNumbersRouter = router({
  list: workspaceProcedure
    .meta(get('/phone-numbers', 'List phone numbers', { ...common, extension: true }))
    .input(ListQuery)
    .output(PhoneNumberPage)
    .query(({ ctx, input }) => listResponse(listNumbers(ctx, input))),

  available: workspaceProcedure
    .meta(
      get('/phone-numbers/available', 'List numbers that can be bought', {
        ...common,
        errors: ['carrier_unavailable'],
        extension: true,
      }),
    )
    .input(AvailableQuery)
    .output(AvailableResponse)
    .query(({ ctx, input }) => dataResponse(availableNumbers(ctx, input))),

  buy: workspaceProcedure
    .meta(
      post('/phone-numbers', 'Buy a phone number', {
        message: 'Phone number purchased successfully',
        ...common,
        status: 201,
        errors: ['phone_purchase_failed'],
        extension: true,
      }),
    )
    .input(BuyInput)
    .output(PhoneNumberSaved)
    .mutation(({ ctx, input }) => savedResponse(ctx, buyNumber(ctx, input))),

  get: workspaceProcedure
    .meta(get('/phone-numbers/{id}', 'Get a phone number', { ...common, ids, extension: true }))
    .input(PhoneNumberPath)
    .output(PhoneNumberResponse)
    .query(({ ctx, input }) => dataResponse(getNumber(ctx, input))),

  update: workspaceProcedure
    .meta(
      put('/phone-numbers/{id}', 'Configure a phone number', {
        example: { request: { name: 'Main line' } },
        message: 'Phone number configuration updated.',
        ...common,
        ids,
        matches,
        errors: [
          'phone_targets_conflict',
          'phone_number_not_registered',
          'phone_number_rejected',
          'phone_number_update_failed',
          'phone_number_busy',
        ],
      }),
    )
    .input(UpdateInput)
    .output(PhoneNumberSaved)
    .mutation(({ ctx, input }) => savedResponse(ctx, updateNumber(ctx, input))),

  reconcile: workspaceProcedure
    .meta(
      post('/phone-numbers/{id}/reconcile', 'Bring a phone number and its live object together', {
        message: 'Phone number reconciled successfully',
        ...common,
        ids,
        matches,
        errors: [
          'phone_number_not_registered',
          'phone_number_rejected',
          'phone_number_update_failed',
          'phone_number_release_failed',
          'phone_number_busy',
        ],
        extension: true,
      }),
    )
    .input(ReconcileInput)
    .output(PhoneNumberReconciled)
    .mutation(({ ctx, input }) => reconciledResponse(ctx, 'released', reconcileNumber(ctx, input))),

  release: workspaceProcedure
    .meta(
      del('/phone-numbers/{id}', 'Release a phone number', {
        message: 'Phone number released successfully',
        ...common,
        ids,
        matches,
        errors: ['phone_number_release_failed', 'phone_number_busy'],
        extension: true,
      }),
    )
    .input(PhoneNumberPath)
    .output(Done)
    .mutation(({ ctx, input }) => doneResponse(ctx, releaseNumber(ctx, input))),
})
