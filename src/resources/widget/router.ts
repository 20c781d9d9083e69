import { post } from '../../api/meta.ts'
import { publicProcedure, router } from '../../api/trpc.ts'
import { outOfFundsErrors } from '../billing/spend.ts'
import { visitorOf } from './key-holder.ts'
import { messageLimit, WidgetMessage, WidgetReply } from './schema.ts'
import { replyToVisitor, requireWidget } from './service.ts'

/** Where a website's visitors write to; its preflights are those of `widgetPreflight`. */
export const chatPath = '/widget/{public_key}/chat'

/** What a website's widget calls (contract: widget 7). */
export const widgetRouter = router({
  chat: publicProcedure
    .meta(
      post(chatPath, 'Send a message as a visitor', {
        tag: 'Website widget',
        document: 'voice',
        rate: 'visitor',
        streams: true,
        admits: (ctx, { public_key: key }) => requireWidget(ctx, String(key)),
        keyHolder: visitorOf,
        ids: { public_key: 'widget_not_found' },
        errors: ['widget_origin_refused', 'widget_disabled', ...outOfFundsErrors, 'widget_reply_failed'],
        extension: true,
        description: [
          `Needs no token: the public key names the assistant. A message has at most ${messageLimit} characters.`,
          'Requests are limited per key, and per key and address; the workspace of the assistant pays for the replies. Where `allowed_origins` is not empty, only browsers on those pages are answered.',
        ].join(' '),
      }),
    )
    .input(WidgetMessage)
    .output(WidgetReply)
    .mutation(({ ctx, input }) => replyToVisitor(ctx, input)),
})
