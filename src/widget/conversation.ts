import { sendMessage, type Trouble } from './api.ts'
import { type Composer, createComposer } from './composer.ts'
import { element } from './element.ts'
import { createGrowing, isAtEnd } from './growing.ts'
import { markdown } from './markdown.ts'
import type { Memory, Said } from './memory.ts'
import type { Strings } from './strings/en.ts'

interface Options {
  apiUrl: string
  memory: Memory
  strings: Strings
  /** What the assistant says first, and what an empty conversation shows instead. */
  greeting: string | undefined
  empty: string
  placeholder: string
  /** Says something to screen readers. */
  announce(text: string): void
  /** Called when the conversation begins or has ended. */
  changed(): void
  /** Called with everything that was sent and replied. */
  said(message: Said): void
}

/** The messages and the composer under them. */
export interface Conversation {
  nodes: readonly HTMLElement[]
  composer: Composer
  isEmpty(): boolean
  /** Forgets everything that was said. */
  end(): void
  /** Shows what is remembered. */
  show(): void
  /** Leaves what is under way, for another visitor. */
  leave(): void
  scrollToEnd(): void
}

/** Makes the conversation. A message and its reply are remembered together, once the reply is there. */
export function createConversation(options: Options): Conversation {
  const { apiUrl, memory, strings, greeting, empty, placeholder, announce, changed, said: tell } = options
  const log = element('div', { class: 'log', role: 'log', tabindex: '0', 'aria-label': strings.conversation })
  const composer = createComposer(strings, placeholder, (message) => void ask(message))
  let running: AbortController | undefined

  const scrollToEnd = () => log.scrollTo({ top: log.scrollHeight })
  const bubble = ({ from, text }: Said) =>
    element(
      'div',
      { class: `said ${from}`, dir: 'auto' },
      element('span', { class: 'sr' }, `${from === 'visitor' ? strings.you : strings.assistant} `),
      ...(from === 'assistant' ? markdown(text) : [text]),
    )
  const add = (node: HTMLElement, moves = true) => {
    log.querySelector('.empty')?.remove()
    log.append(node)
    if (moves) scrollToEnd()
    return node
  }

  function problem(trouble: Trouble, asked: HTMLElement, message: string): void {
    asked.classList.add('undelivered')
    const retry = element('button', { type: 'button', class: 'retry' }, strings.retry)
    const note = element('div', { class: 'problem' }, element('span', {}, strings[trouble]), retry)
    retry.addEventListener('click', () => {
      if (running) return
      asked.remove()
      note.remove()
      composer.focus()
      void ask(message)
    })
    add(note)
  }

  async function ask(message: string): Promise<void> {
    const mine = new AbortController()
    running = mine
    composer.setBusy(true)
    const asked = add(bubble({ from: 'visitor', text: message }))
    const dots = add(
      element('div', { class: 'said assistant dots', 'aria-hidden': 'true' }, ...Array.from('...', () => element('i'))),
    )
    announce(strings.writing)
    const growing = createGrowing(log, dots)
    const { session } = memory.read()
    const response = await sendMessage(apiUrl, { message, session, waiting: mine, grows: growing.show })
    growing.stop()
    const wasSeen = growing.node.isConnected
    const wasAtEnd = isAtEnd(log)
    dots.remove()
    growing.node.remove()
    if (running !== mine) return
    running = undefined
    composer.setBusy(false)
    announce('')
    if (typeof response === 'string') return problem(response, asked, message)
    const said: Said[] = [
      { from: 'visitor', text: message },
      { from: 'assistant', text: response.reply },
    ]
    memory.write({ session: response.session, messages: [...memory.read().messages, ...said] })
    const reply = bubble({ from: 'assistant', text: response.reply })
    reply.classList.toggle('settled', wasSeen)
    add(reply, wasAtEnd)
    for (const message of said) tell(message)
    changed()
  }

  function show(): void {
    const { messages } = memory.read()
    const opening = greeting === undefined ? [] : [bubble({ from: 'assistant', text: greeting })]
    const shown = [...opening, ...messages.map(bubble)]
    const nothing = element('p', { class: 'empty', dir: 'auto' }, empty)
    log.replaceChildren(...(shown.length > 0 ? shown : [nothing]))
    scrollToEnd()
    changed()
  }

  memory.onOtherTab(() => {
    if (!running) show()
  })
  return {
    nodes: [log, composer.node],
    composer,
    isEmpty: () => memory.read().messages.length === 0,
    end() {
      running?.abort()
      running = undefined
      composer.setBusy(false)
      memory.write({ session: null, messages: [] })
      show()
      announce(strings.ended)
    },
    leave() {
      running?.abort()
      running = undefined
      composer.setBusy(false)
      show()
    },
    show,
    scrollToEnd,
  }
}
