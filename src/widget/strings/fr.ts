import type { Strings } from './en.ts'

export const fr: Strings = {
  title: 'Discussion',
  unread: 'Nouveaux messages',
  open: 'Ouvrir la discussion',
  close: 'Fermer la discussion',
  end: 'Terminer la conversation',
  ended: 'La conversation est terminée.',
  conversation: 'Conversation',
  placeholder: 'Écrivez un message…',
  message: 'Votre message',
  send: 'Envoyer le message',
  empty: 'Comment pouvons-nous vous aider ?',
  you: 'Vous :',
  assistant: 'Assistant :',
  writing: 'L’assistant est en train d’écrire…',
  consentTitle: 'Avant de commencer',
  consentText:
    'Vos messages sont envoyés à un assistant qui répond automatiquement. La conversation est conservée dans ce navigateur.',
  accept: 'Accepter et commencer',
  decline: 'Pas maintenant',
  retry: 'Réessayer',
  unreachable: 'L’assistant est injoignable pour le moment. Veuillez vérifier votre connexion.',
  busy: 'Cela fait beaucoup de messages. Veuillez patienter un instant.',
  unavailable: 'La discussion n’est pas disponible sur cette page pour le moment.',
  refused: 'Ce message n’a pas pu être envoyé. Veuillez le raccourcir.',
  failed: 'L’assistant n’a pas pu répondre cette fois-ci.',
}
