import { dataResponse, doneResponse } from '../../api/envelope.ts'
import { get, post, put } from '../../api/meta.ts'
import { Done } from '../../api/schemas.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { EmbedInput, EmbedPath, EmbedResponse, EmbedSaved } from './schema.ts'
import { getEmbed, rotatePublicKey, updateEmbed } from './service.ts'

const common = { tag: 'Website widget', document: 'voice', feature: 'assistants' } as const
const matches = ['embed.get', 'assistants.get']

/** An assistant's website widget (contract: widget 1). */
export const embedRouter = router({
  get: workspaceProcedure
    .meta(get('/assistants/{assistantId}/embed', 'Get the widget and its tag', common))
    .input(EmbedPath)
    .output(EmbedResponse)
    .query(({ ctx, input }) => dataResponse(getEmbed(ctx, input))),

  update: workspaceProcedure
    .meta(
      put('/assistants/{assistantId}/embed', 'Configure the widget', {
        example: {
          request: {
            embed_config: {
              theme: 'light',
              position: 'bottom-right',
              title: 'Harbour Dental',
              accent_color: '#0f766e',
              cta_button_color: '#0f766e',
              cta_button_text_color: '#ffffff',
              cta_title: 'Ask us',
              chat_first_message: 'Hello! How can we help you?',
            },
          },
        },
        ...common,
        matches,
        errors: ['assistant_update_failed', 'assistant_busy'],
      }),
    )
    .input(EmbedInput)
    .output(EmbedSaved)
    .mutation(({ ctx, input }) => dataResponse(updateEmbed(ctx, input))),

  rotateKey: workspaceProcedure
    .meta(
      post('/assistants/{assistantId}/embed/rotate-key', "Replace the widget's public key", {
        message: 'Public key rotated. Paste the new embed HTML into your pages.',
        ...common,
        matches,
        extension: true,
      }),
    )
    .input(EmbedPath)
    .output(Done)
    .mutation(({ ctx, input }) => doneResponse(ctx, rotatePublicKey(ctx, input))),
})
