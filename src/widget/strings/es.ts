import type { Strings } from './en.ts'

export const es: Strings = {
  title: 'Chat',
  unread: 'Mensajes nuevos',
  open: 'Abrir el chat',
  close: 'Cerrar el chat',
  end: 'Terminar la conversación',
  ended: 'La conversación ha terminado.',
  conversation: 'Conversación',
  placeholder: 'Escriba un mensaje…',
  message: 'Su mensaje',
  send: 'Enviar mensaje',
  empty: '¿En qué podemos ayudarle?',
  you: 'Usted:',
  assistant: 'Asistente:',
  writing: 'El asistente está escribiendo…',
  consentTitle: 'Antes de empezar',
  consentText:
    'Sus mensajes se envían a un asistente que responde automáticamente. La conversación se guarda en este navegador.',
  accept: 'Aceptar y empezar',
  decline: 'Ahora no',
  retry: 'Reintentar',
  unreachable: 'No se puede contactar con el asistente en este momento. Compruebe su conexión.',
  busy: 'Han sido muchos mensajes. Espere un momento, por favor.',
  unavailable: 'El chat no está disponible en esta página en este momento.',
  refused: 'No se pudo enviar este mensaje. Acórtelo, por favor.',
  failed: 'El asistente no ha podido responder esta vez.',
}
