import { element } from './element.ts'
import type { Strings } from './strings/en.ts'

interface ConsentTexts {
  title: string | undefined
  text: string | undefined
  accept: string | undefined
}

/** The question that a visitor answers before the first message; nothing is sent or kept before. */
export function createConsent(
  strings: Strings,
  { title, text, accept }: ConsentTexts,
  answer: (agreed: boolean) => void,
): HTMLElement {
  const agree = element('button', { type: 'button', class: 'accept' }, accept ?? strings.accept)
  const decline = element('button', { type: 'button', class: 'decline' }, strings.decline)
  agree.addEventListener('click', () => answer(true))
  decline.addEventListener('click', () => answer(false))
  return element(
    'div',
    { class: 'consent' },
    element('h3', { dir: 'auto' }, title ?? strings.consentTitle),
    element('p', { dir: 'auto' }, text ?? strings.consentText),
    element('div', { class: 'choices' }, agree, decline),
  )
}
