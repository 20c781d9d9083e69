import type { RequestContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { ErrorResponse } from '../../api/errors/error-response.ts'
import { errorReply, preflight, type Reply } from '../../api/http/response.ts'
import { allowsOrigin, findWidget, readerOf } from './find.ts'

/** The response to a browser that asks whether its page may use the widget: the same rule as for its messages. */
export async function widgetPreflight(
  request: Request,
  ctx: RequestContext,
  { public_key: key = '' }: Record<string, string>,
): Promise<Reply> {
  const widget = await findWidget(ctx.db, key)
  ctx.outcome.readableBy = widget && readerOf(widget, ctx.origin)
  if (widget && !allowsOrigin(widget, ctx.origin)) {
    return errorReply(ctx, new ErrorResponse(new ApiError('widget_origin_refused'), 'voice'))
  }
  return preflight(request, ctx, ['POST', 'OPTIONS'])
}
