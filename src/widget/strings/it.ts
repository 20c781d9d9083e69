import type { Strings } from './en.ts'

export const it: Strings = {
  title: 'Chat',
  unread: 'Nuovi messaggi',
  open: 'Apri la chat',
  close: 'Chiudi la chat',
  end: 'Termina la conversazione',
  ended: 'La conversazione è terminata.',
  conversation: 'Conversazione',
  placeholder: 'Scrivi un messaggio…',
  message: 'Il tuo messaggio',
  send: 'Invia il messaggio',
  empty: 'Come possiamo aiutarti?',
  you: 'Tu:',
  assistant: 'Assistente:',
  writing: 'L’assistente sta scrivendo…',
  consentTitle: 'Prima di iniziare',
  consentText:
    'I tuoi messaggi vengono inviati a un assistente che risponde automaticamente. La conversazione resta in questo browser.',
  accept: 'Accetta e inizia',
  decline: 'Non ora',
  retry: 'Riprova',
  unreachable: 'L’assistente non è raggiungibile al momento. Controlla la connessione.',
  busy: 'Hai inviato molti messaggi. Attendi un momento.',
  unavailable: 'La chat non è disponibile su questa pagina al momento.',
  refused: 'Non è stato possibile inviare il messaggio. Accorcialo.',
  failed: 'L’assistente non ha potuto rispondere questa volta.',
}
