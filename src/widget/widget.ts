import type { WidgetConfig } from './config.ts'
import { createConsent } from './consent.ts'
import { createConversation } from './conversation.ts'
import { element, icon } from './element.ts'
import { trapFocus } from './focus.ts'
import { createHost, showAbovePage } from './host.ts'
import { createMemory } from './memory.ts'
import { createEvents, offer } from './page-api.ts'
import { stringsFor } from './strings.ts'
import { addStyles } from './styles.ts'
import { applyTheme } from './theme.ts'

interface Labels {
  title: string | undefined
  subtitle: string | undefined
  open: string
}

/** The button that opens the chat: an icon, with words beside it where there is room and something to say. */
function createLauncher({ title, subtitle, open }: Labels, size: WidgetConfig['size']): HTMLButtonElement {
  const words = [
    ...(title ? [element('b', { dir: 'auto' }, title)] : []),
    ...(subtitle && size === 'full' ? [element('small', { dir: 'auto' }, subtitle)] : []),
  ]
  const isLabelled = size !== 'tiny' && words.length > 0
  return element(
    'button',
    {
      type: 'button',
      class: isLabelled ? 'launcher labelled' : 'launcher',
      'aria-expanded': 'false',
      'aria-haspopup': 'dialog',
      'aria-controls': 'panel',
      ...(isLabelled ? {} : { 'aria-label': title ?? open }),
    },
    icon('chat'),
    icon('close', 'shut'),
    ...(isLabelled ? [element('span', { class: 'launcher-text' }, ...words)] : []),
  )
}

const keyEvents = ['keydown', 'keypress', 'keyup'] as const

/** Puts the widget on the page. */
export function mountWidget(config: WidgetConfig, apiUrl: string): void {
  const { texts, position, size } = config
  const { language, direction, strings } = stringsFor([
    config.locale,
    document.documentElement.lang,
    navigator.language,
  ])
  const memory = createMemory(apiUrl.slice(apiUrl.lastIndexOf('/') + 1))

  const host = createHost()
  const shadow = host.attachShadow({ mode: 'open' })
  addStyles(shadow)
  // What is typed here is no shortcut of the page.
  for (const name of keyEvents) host.addEventListener(name, (event) => event.stopPropagation())

  const events = createEvents()
  let unread = 0
  // What is in the closed panel is not read aloud.
  const outside = element('p', { class: 'sr', role: 'status' })
  const badge = element('span', { class: 'badge', hidden: true, 'aria-hidden': 'true' })
  const status = element('p', { class: 'sr', role: 'status' })
  const launcher = createLauncher({ title: texts.ctaTitle, subtitle: texts.ctaSubtitle, open: strings.open }, size)
  const close = element('button', { type: 'button', class: 'tool', 'aria-label': strings.close }, icon('close'))
  const end = element(
    'button',
    texts.end
      ? { type: 'button', class: 'tool worded' }
      : { type: 'button', class: 'tool', 'aria-label': strings.end, title: strings.end },
    texts.end ?? icon('end'),
  )
  const conversation = createConversation({
    apiUrl,
    memory,
    strings,
    greeting: texts.greeting,
    empty: texts.empty ?? strings.empty,
    placeholder: texts.placeholder ?? strings.placeholder,
    announce: (text) => status.replaceChildren(text),
    said: (message) => {
      events.tell('message', message)
      if (message.from === 'assistant' && panel.hidden) count(unread + 1)
    },
    changed: () => {
      end.hidden = needsConsent() || conversation.isEmpty()
    },
  })
  const consentTexts = { title: texts.consentTitle, text: texts.consentText, accept: texts.start }
  const consent = createConsent(strings, consentTexts, (agreed) => {
    if (!agreed) return show(false)
    memory.write({ consented: true })
    refresh()
  })
  const needsConsent = () => config.consentRequired && !memory.read().consented

  const title = element('h2', { id: 'title', dir: 'auto' }, texts.title ?? strings.title)
  const picture = config.logo ? element('img', { src: config.logo, alt: '' }) : icon('chat')
  const dot = element('span', { class: 'dot' }, picture)
  const panel = element(
    'div',
    { class: 'panel', id: 'panel', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'title', hidden: true },
    element('header', {}, dot, title, end, close),
    consent,
    ...conversation.nodes,
    status,
  )
  const root = element('div', { class: `root ${position} ${size}`, lang: language, dir: direction }, launcher, panel)
  launcher.append(badge)
  root.append(outside)

  /** Says how many replies came while the panel was closed. */
  function count(now: number): void {
    if (now === unread) return
    unread = now
    badge.hidden = unread === 0
    badge.replaceChildren(unread > 9 ? '9+' : String(unread))
    outside.replaceChildren(unread > 0 ? `${strings.unread}: ${unread}` : '')
    events.tell('unread', unread)
  }

  /** Shows the question or the conversation, and puts the focus where the visitor goes on. */
  function refresh(): void {
    const asking = needsConsent()
    consent.hidden = !asking
    for (const node of conversation.nodes) node.hidden = asking
    conversation.show()
    if (asking) consent.querySelector('button')?.focus()
    else conversation.composer.focus()
  }

  function show(open: boolean): void {
    if (open === !panel.hidden) return
    panel.hidden = !open
    root.classList.toggle('open', open)
    launcher.setAttribute('aria-expanded', String(open))
    if (open) {
      count(0)
      refresh()
      events.tell('open')
    } else {
      launcher.focus()
      events.tell('close')
    }
  }

  launcher.addEventListener('click', () => show(panel.hidden !== false))
  close.addEventListener('click', () => show(false))
  end.addEventListener('click', () => {
    conversation.end()
    conversation.composer.focus()
  })
  trapFocus(panel, shadow, () => show(false))

  shadow.append(root)
  showAbovePage(host, root)
  applyTheme(config, root)
  offer({
    open: () => show(true),
    close: () => show(false),
    identify(visitor) {
      memory.switchTo(visitor === null ? null : String(visitor.id))
      count(0)
      conversation.leave()
      if (!panel.hidden) refresh()
    },
    on: events.on,
  })
  if (config.open) show(true)
}
