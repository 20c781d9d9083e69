import { z } from 'zod'
import { dataResponse, savedResponse } from '../../api/envelope.ts'
import { get, post } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { getAccess } from './access.ts'
import { AccessResponse, ProfileResponse, ProfileSaved, UpdateProfileInput } from './schema.ts'
import { getProfile, updateProfile, withoutShownPicture } from './service.ts'

const common = { tag: 'Profile', document: 'accounts' } as const

/** The caller's own account (contract: profile 2): a viewer's too. */
export const profileRouter = router({
  get: workspaceProcedure
    .meta(get('/user', 'Get your profile', { ...common, extension: true }))
    .output(ProfileResponse)
    .query(({ ctx }) => dataResponse(getProfile(ctx))),

  access: workspaceProcedure
    .meta(get('/user/access', 'Get what your token may do', { ...common, extension: true }))
    .input(z.object({}))
    .output(AccessResponse)
    .query(({ ctx }) => dataResponse(getAccess(ctx))),

  update: workspaceProcedure
    .meta(
      post('/user', 'Update your profile', {
        message: 'Profile updated successfully',
        ...common,
        also: ['PUT'],
        multipart: true,
        validationMessage: 'The given data was invalid.',
        uploads: { profile_picture: 'invalid_upload' },
        withoutUnchanged: withoutShownPicture,
        matches: ['profile.get'],
        errors: ['invalid_upload', 'profile_update_failed'],
        description: 'Send a multipart form to upload a picture; without one, JSON does as well.',
        example: {
          request: {
            name: 'Ada Lovelace',
            phone: '+14155550100',
            company: 'Analytical Engines',
            bio: 'Answers the phones.',
          },
        },
      }),
    )
    .input(UpdateProfileInput)
    .output(ProfileSaved)
    .mutation(({ ctx, input }) => savedResponse(ctx, updateProfile(ctx, input))),
})
