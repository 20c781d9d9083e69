import { ApiError } from '../../api/errors/api-error.ts'
import { ErrorResponse, toApiError } from '../../api/errors/error-response.ts'
import { assetResponse } from '../../api/http/asset.ts'
import type { Handler } from '../../api/http/path.ts'
import { errorReply } from '../../api/http/response.ts'
import { readPicture } from './picture.ts'

/** The public path of profile pictures: as `userRecord` writes it, and as a route. */
export const picturePath = '/files/pictures/:name'

/** A name stands for one picture for ever, and is gone when it is removed: caches may keep it, though not for ever. */
const pictureHeaders = {
  'cache-control': 'public, max-age=86400, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

/** Serves a profile picture to anyone who knows its URL (contract: profile 6). */
export const servePicture: Handler = async (request, ctx, { name = '' }) => {
  try {
    const found = await readPicture(ctx, name)
    if (!found) throw new ApiError('picture_not_found')
    const { bytes, type } = found
    return assetResponse(
      request,
      ctx,
      { body: new Blob([new Uint8Array(bytes)]), type, etag: `"${name}"` },
      pictureHeaders,
    )
  } catch (error) {
    const known = toApiError(error)
    if (known.status >= 500)
      ctx.log.error({ event: 'request_failed', err: error, requestId: ctx.requestId }, known.code)
    return errorReply(ctx, new ErrorResponse(known, 'accounts'))
  }
}
