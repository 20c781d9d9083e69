import type { Strings } from './en.ts'

export const de: Strings = {
  title: 'Chat',
  unread: 'Neue Nachrichten',
  open: 'Chat öffnen',
  close: 'Chat schließen',
  end: 'Unterhaltung beenden',
  ended: 'Die Unterhaltung ist beendet.',
  conversation: 'Unterhaltung',
  placeholder: 'Nachricht schreiben …',
  message: 'Ihre Nachricht',
  send: 'Nachricht senden',
  empty: 'Wie können wir Ihnen helfen?',
  you: 'Sie:',
  assistant: 'Assistent:',
  writing: 'Der Assistent schreibt …',
  consentTitle: 'Bevor es losgeht',
  consentText:
    'Ihre Nachrichten gehen an einen Assistenten, der automatisch antwortet. Die Unterhaltung bleibt in diesem Browser gespeichert.',
  accept: 'Zustimmen und starten',
  decline: 'Nicht jetzt',
  retry: 'Erneut versuchen',
  unreachable: 'Der Assistent ist gerade nicht erreichbar. Bitte prüfen Sie Ihre Verbindung.',
  busy: 'Das waren viele Nachrichten. Bitte warten Sie einen Moment.',
  unavailable: 'Der Chat ist auf dieser Seite gerade nicht verfügbar.',
  refused: 'Diese Nachricht konnte nicht gesendet werden. Bitte kürzen Sie sie.',
  failed: 'Der Assistent konnte diesmal nicht antworten.',
}
