import type { Strings } from './en.ts'

export const pt: Strings = {
  title: 'Chat',
  unread: 'Novas mensagens',
  open: 'Abrir o chat',
  close: 'Fechar o chat',
  end: 'Terminar a conversa',
  ended: 'A conversa terminou.',
  conversation: 'Conversa',
  placeholder: 'Escreva uma mensagem…',
  message: 'A sua mensagem',
  send: 'Enviar mensagem',
  empty: 'Como podemos ajudar?',
  you: 'Você:',
  assistant: 'Assistente:',
  writing: 'O assistente está a escrever…',
  consentTitle: 'Antes de começar',
  consentText:
    'As suas mensagens são enviadas a um assistente que responde automaticamente. A conversa fica guardada neste navegador.',
  accept: 'Aceitar e começar',
  decline: 'Agora não',
  retry: 'Tentar novamente',
  unreachable: 'Não é possível contactar o assistente neste momento. Verifique a sua ligação.',
  busy: 'Foram muitas mensagens. Aguarde um momento.',
  unavailable: 'O chat não está disponível nesta página neste momento.',
  refused: 'Não foi possível enviar esta mensagem. Encurte-a, por favor.',
  failed: 'O assistente não conseguiu responder desta vez.',
}
