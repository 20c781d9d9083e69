import type { Search } from '../../src/resources/files/search.ts'
import type { Corpus } from './corpus.ts'
import { type Quality, qualityOf } from './figures.ts'
import { heldOut } from './held-out.ts'
import { passages } from './passages.ts'
import { questions } from './questions.ts'

const deepest = 10

/** Questions that say little alone, each after the one that names what it is about. */
const followUps: readonly [before: string, question: string, words: string][] = [
  ['When is breakfast served?', 'And on Sundays?', 'Breakfast is served'],
  ['How do I get to the airport?', 'Do I have to book that?', 'Our minibus'],
  ['Are dogs allowed?', 'What does that cost?', 'Dogs and cats'],
  ['Can I cancel my booking?', 'And if it is later than that?', 'A booking can be cancelled'],
  ['Do you do flu shots?', 'Until which month?', 'Flu shots'],
  ['How long is the guarantee on a kettle?', 'From when on is that counted?', 'Electrical appliances'],
  ['Can I send shoes back?', 'How long do I have?', 'Unworn shoes'],
  ['Is there a sauna?', 'When is it only for women?', 'The steam bath'],
  ['Can I try the gym?', 'For how long?', 'You may train'],
  ['How long can I borrow books?', 'Can I extend that?', 'Books can be borrowed'],
  ['How much is the dog tax?', 'Who is exempt?', 'The dog tax'],
  ['Do you store my tyres?', 'How much is it per season?', 'A tyre change'],
  ['Can I hire a violin?', 'And a guitar?', 'Violins and guitars'],
  ['Do you have vouchers?', 'How long are they valid?', 'Gift vouchers'],
]

const alone: readonly [question: string, passage: string][] = [
  ...Object.values(questions).flatMap((kind) =>
    kind.map(([question, answer]): [string, string] => [question, passages[answer]]),
  ),
  ...heldOut.flatMap(({ passage, paraphrase, direct }): [string, string][] => [
    [paraphrase, passage],
    [direct, passage],
  ]),
]

/** Far enough apart that a question and the one asked before it are of different trades. */
const step = 37

/** Asks within conversations: after the question that it is about, and after one about something else. */
export async function conversationQuality(
  { search, corpus }: { search: Search; corpus: Corpus },
  { cell, row }: { cell: (quality: Quality) => string; row: (cells: readonly string[]) => string },
): Promise<string> {
  const { agentId, workspaceId } = corpus
  const placeOf = async (query: string, context: string | undefined, words: string) => {
    const found = await search({ agentId, workspaceId, query, context, limit: deepest })
    const place = found.findIndex(({ text }) => text.startsWith(words))
    return place < 0 ? undefined : place + 1
  }
  const places: Record<string, (number | undefined)[]> = { 'follow-ups': [], 'after another question': [], alone: [] }
  for (const [before, question, words] of followUps) {
    places['follow-ups']?.push(await placeOf(question, before, words))
  }
  for (const [at, [question, passage]] of alone.entries()) {
    const [before] = alone[(at * step + 11) % alone.length] ?? []
    places['after another question']?.push(await placeOf(question, before, passage))
    places.alone?.push(await placeOf(question, undefined, passage))
  }
  return [
    row(['conversations', 'questions', 'found']),
    row(['---', '---', '---']),
    ...Object.entries(places).map(([name, found]) => row([name, String(found.length), cell(qualityOf(found))])),
  ].join('\n')
}
