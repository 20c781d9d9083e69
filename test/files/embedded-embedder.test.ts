import { expect, test } from 'vitest'
import { cosine } from '../../src/knowledge/embedder.ts'
import { embedder } from '../support/app.ts'

/** Questions in other words than the texts that answer them; without its tuning, the model misses three of them. */
const answers: [question: string, text: string][] = [
  [
    "Something came up tonight, do I still pay for tomorrow morning's class?",
    'Cancellations within 24 hours of the start are charged in full.',
  ],
  ['Can my fourteen-year-old come by herself?', 'Guests under sixteen are admitted only together with an adult.'],
  ['When will the money go off my account?', 'Payment is taken when the parcel leaves our warehouse.'],
  ['I forgot my umbrella at your place yesterday', 'Items left behind are kept at the front desk for thirty days.'],
  [
    'My back is bad, can I get to the third floor without climbing?',
    'The lift is out of order until the end of the month; please use the stairs.',
  ],
  ['I have written to you and heard nothing', 'We reply to letters within five working days.'],
  ['The sofa has a scratch since your men carried it', 'Damage has to be reported before the van leaves.'],
  ['May my puppy run around freely?', 'Dogs stay on the lead in the whole park.'],
  ['How late can I still get in?', 'The last admission is one hour before closing.'],
  ['I would rather have the money than the gift card', 'Vouchers cannot be exchanged for cash.'],
  ['Can I take pictures?', 'Photographs are permitted without flash.'],
  ['When do I get my fifty back?', 'A deposit of fifty euros is returned with the key.'],
]

test('the embedder finds the text that answers a question in other words nearest to it', async () => {
  const questions = await embedder.embed(answers.map(([question]) => question))
  const texts = await embedder.embed(answers.map(([, text]) => text))
  const nearest = questions.map((question) => {
    const near = texts.map((text) => cosine(question, text))
    return near.indexOf(Math.max(...near))
  })
  expect(nearest.map((at) => answers[at]?.[1])).toEqual(answers.map(([, text]) => text))
})
