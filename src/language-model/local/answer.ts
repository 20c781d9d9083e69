import type { Language } from '../../knowledge/language.ts'
import { askedWords, detectLanguage } from '../../knowledge/words.ts'
import type { Sources } from '../prompt.ts'
import type { Candidate } from './candidates.ts'
import { bestOf, type Judged } from './certainty.ts'
import type { Conversation } from './conversation.ts'
import { expectedBy } from './expected.ts'
import { judgedFor } from './judged.ts'
import { messageTaking } from './message-taking.ts'
import { phrasesIn } from './phrases.ts'
import type { Ranker } from './ranker.ts'
import { smallTalk } from './small-talk.ts'
import { spokenResult } from './spoken-result.ts'

/** "And what does that cost?" says what is wanted, not what about. */
const namesNothing = (question: string) =>
  askedWords(question.replaceAll(expectedBy(question)?.asking ?? /$^/g, ' ')).length === 0

/** What is said of a tool's result where no sentence of it stands out. */
const maxSpokenLength = 300

const yesOrNo = /^(?:yes|no|ja|nein|doch|sí|oui|non|si)(?!\p{L})/iu

/** How much of what the best sentence is worth another one of its source has to be worth to be said with it. */
const nearlyAsGood = 0.6

/**
 * The sentence that says yes or no to the question that the best one stands under, or else the one of its passage that
 * says nearly as much about the question; elsewhere than in a file, where one thing has little to do with the next, the
 * one before or after it, with a word of the question.
 */
function companion(best: Judged, judged: readonly Judged[]): Judged | undefined {
  const beginning = judged.find(({ source, context }) => source === best.source && context === best.context)
  if (beginning && best.context.endsWith('?') && yesOrNo.test(beginning.text) && !yesOrNo.test(best.text))
    return beginning
  const at = judged.indexOf(best)
  const [second] = judged
    .filter((other, index) => {
      const isBeside = best.found !== undefined || (Math.abs(index - at) === 1 && other.words > 0)
      const isWorthIt = other.own > 0 && other.score > 0 && other.own >= best.own * nearlyAsGood
      return isBeside && isWorthIt && other !== best && other.source === best.source
    })
    .toSorted((a, b) => b.own - a.own)
  return second
}

/** Sentences as they are quoted; the source of two that belong together is named once. */
function quoted(chosen: readonly Judged[]): string {
  const [first] = chosen
  if (!first) return ''
  return first.quote(chosen.map(({ text }) => text).join(' '))
}

/** The language of a question; of one that is too short to tell, that of the files that it is asked about. */
function languageOf(question: string, candidates: readonly Candidate[]): Language | undefined {
  const files = candidates.filter(({ found }) => found !== undefined)
  return detectLanguage(question) ?? detectLanguage(files.map(({ text }) => text).join(' '))
}

/**
 * The local model's answer: one or two whole sentences of what it can draw on, with the file or tool they come from, or
 * plainly that it does not know. It makes nothing up.
 */
export async function extractResponse(
  sources: Sources,
  conversation: Conversation,
  ranker: Ranker,
  signal?: AbortSignal,
): Promise<string> {
  const { question, toolResults } = conversation
  const phone = sources.onPhone === true
  const talk =
    toolResults.length === 0
      ? ((phone ? messageTaking(conversation) : undefined) ?? smallTalk(sources, conversation))
      : undefined
  if (talk !== undefined) return talk
  const { judged, context, goesOn } = await judgedFor(sources, conversation, ranker, signal)
  const language = languageOf(question, judged)
  const about = context !== '' && namesNothing(question) ? goesOn : undefined
  const { best, certain } = bestOf(judged, { followsUp: context !== '', about })
  if (best && certain !== 'none') {
    const second = companion(best, judged)
    const chosen = second === undefined ? [best] : judged.filter((one) => one === best || one === second)
    return [...(certain === 'sure' ? [] : [phrasesIn(language).closest]), quoted(chosen)].join(' ')
  }
  const [answered] = toolResults.filter(({ failed }) => !failed)
  const said = answered && phone ? spokenResult(answered.text).slice(0, maxSpokenLength) : undefined
  if (said) return said
  if (answered && !phone) return `${answered.tool} answered: ${answered.text.slice(0, 1000)}`
  return phone ? phrasesIn(language).offer : phrasesIn(language).unknown
}
