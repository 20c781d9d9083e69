/** Every text that the widget says by itself. */
export const en = {
  title: 'Chat',
  unread: 'New messages',
  open: 'Open chat',
  close: 'Close chat',
  end: 'End conversation',
  ended: 'The conversation has ended.',
  conversation: 'Conversation',
  placeholder: 'Write a message…',
  message: 'Your message',
  send: 'Send message',
  empty: 'How can we help you?',
  you: 'You:',
  assistant: 'Assistant:',
  writing: 'The assistant is writing…',
  consentTitle: 'Before we start',
  consentText:
    'Your messages are sent to an assistant that answers automatically. The conversation is kept in this browser.',
  accept: 'Agree and start',
  decline: 'Not now',
  retry: 'Try again',
  unreachable: 'The assistant cannot be reached right now. Please check your connection.',
  busy: 'That was a lot of messages. Please wait a moment.',
  unavailable: 'The chat is not available on this page right now.',
  refused: 'This message could not be sent. Please shorten it.',
  failed: 'The assistant could not answer this time.',
}

export type Strings = typeof en
