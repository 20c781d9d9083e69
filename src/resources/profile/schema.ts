import { z } from 'zod'
import { clearable, dataOf, requiredText, savedOf, text } from '../../api/schemas.ts'
import { User } from '../users/schema.ts'
import { headLength, pictureType } from './picture-type.ts'

const maxKilobytes = 2048

const isPicture = async (file: File) => pictureType(await file.slice(0, headLength).bytes()) !== undefined

const picture = z
  .file()
  .min(1, { error: 'The profile_picture field must not be empty.', abort: true })
  .max(maxKilobytes * 1024, {
    error: `The profile_picture field must not be larger than ${maxKilobytes} kilobytes.`,
    abort: true,
  })
  .refine(isPicture, 'The profile_picture field must be an image of type: jpeg, png, jpg, gif.')

/** The profile's fields (contract: profile 5); the picture is a part of a multipart form, or null. */
export const UpdateProfileInput = z.object({
  name: requiredText(255),
  phone: clearable(text(20)),
  company: clearable(text(255)),
  bio: clearable(text(1000)),
  profile_picture: clearable(picture).meta({
    description: `A jpeg, png or gif of at most ${maxKilobytes} KB. Left out, the stored one stays; null removes it.`,
  }),
})

export const ProfileResponse = dataOf(User)
export const ProfileSaved = savedOf(User)
