import { element, icon } from './element.ts'
import type { Strings } from './strings/en.ts'

/** As many characters as the server takes. */
const maxLength = 4000

/** Where a visitor writes: Enter sends, Shift and Enter begin a new line. */
export interface Composer {
  node: HTMLFormElement
  focus(): void
  /** While a response is awaited, what is written waits. */
  setBusy(busy: boolean): void
}

/** Makes the composer; `send` is given a message that is not empty. */
export function createComposer(strings: Strings, placeholder: string, send: (message: string) => void): Composer {
  const field = element('textarea', {
    rows: '1',
    placeholder,
    'aria-label': strings.message,
    maxlength: String(maxLength),
    enterkeyhint: 'send',
    dir: 'auto',
  })
  const button = element('button', { type: 'submit', class: 'send', 'aria-label': strings.send }, icon('send'))
  const node = element('form', {}, field, button)
  let busy = false

  const refresh = () => {
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight}px`
    button.setAttribute('aria-disabled', String(busy || field.value.trim() === ''))
  }
  node.addEventListener('submit', (event) => {
    event.preventDefault()
    const message = field.value.trim()
    if (busy || message === '') return
    field.value = ''
    refresh()
    send(message)
  })
  field.addEventListener('input', refresh)
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    node.requestSubmit()
  })
  button.setAttribute('aria-disabled', 'true')
  return {
    node,
    focus: () => field.focus(),
    setBusy(now) {
      busy = now
      refresh()
    },
  }
}
