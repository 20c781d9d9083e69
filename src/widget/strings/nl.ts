import type { Strings } from './en.ts'

export const nl: Strings = {
  title: 'Chat',
  unread: 'Nieuwe berichten',
  open: 'Chat openen',
  close: 'Chat sluiten',
  end: 'Gesprek beëindigen',
  ended: 'Het gesprek is beëindigd.',
  conversation: 'Gesprek',
  placeholder: 'Schrijf een bericht…',
  message: 'Uw bericht',
  send: 'Bericht versturen',
  empty: 'Waarmee kunnen we u helpen?',
  you: 'U:',
  assistant: 'Assistent:',
  writing: 'De assistent is aan het schrijven…',
  consentTitle: 'Voordat we beginnen',
  consentText:
    'Uw berichten gaan naar een assistent die automatisch antwoordt. Het gesprek blijft in deze browser bewaard.',
  accept: 'Akkoord en beginnen',
  decline: 'Nu niet',
  retry: 'Opnieuw proberen',
  unreachable: 'De assistent is nu niet bereikbaar. Controleer uw verbinding.',
  busy: 'Dat waren veel berichten. Wacht even.',
  unavailable: 'De chat is op deze pagina nu niet beschikbaar.',
  refused: 'Dit bericht kon niet worden verstuurd. Maak het korter.',
  failed: 'De assistent kon deze keer niet antwoorden.',
}
