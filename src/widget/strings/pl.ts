import type { Strings } from './en.ts'

export const pl: Strings = {
  title: 'Czat',
  unread: 'Nowe wiadomości',
  open: 'Otwórz czat',
  close: 'Zamknij czat',
  end: 'Zakończ rozmowę',
  ended: 'Rozmowa została zakończona.',
  conversation: 'Rozmowa',
  placeholder: 'Napisz wiadomość…',
  message: 'Twoja wiadomość',
  send: 'Wyślij wiadomość',
  empty: 'W czym możemy pomóc?',
  you: 'Ty:',
  assistant: 'Asystent:',
  writing: 'Asystent pisze…',
  consentTitle: 'Zanim zaczniemy',
  consentText:
    'Twoje wiadomości trafiają do asystenta, który odpowiada automatycznie. Rozmowa pozostaje w tej przeglądarce.',
  accept: 'Zgadzam się, zaczynamy',
  decline: 'Nie teraz',
  retry: 'Spróbuj ponownie',
  unreachable: 'Asystent jest teraz nieosiągalny. Sprawdź połączenie.',
  busy: 'To było wiele wiadomości. Poczekaj chwilę.',
  unavailable: 'Czat jest teraz niedostępny na tej stronie.',
  refused: 'Nie udało się wysłać tej wiadomości. Skróć ją.',
  failed: 'Asystent nie mógł tym razem odpowiedzieć.',
}
