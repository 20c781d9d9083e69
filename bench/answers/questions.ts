import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Beside the files of a business. */
export const questionsFile = 'questions.json'

/** A question as a customer asks it, and what tells how good the reply is. */
const Question = z.strictObject({
  kind: z.enum(['direct', 'other words', 'figures', 'code', 'verb form', 'follow-up', 'absent']),
  /** Sent first in the same chat. */
  before: z.string().optional(),
  question: z.string(),
  /** All of these are in a right reply, each in one of its forms (`a|b`); null: the files do not say. */
  right: z.array(z.string()).nullable(),
  /** One of these in a reply that is not right and has no doubt states something wrong as the answer. */
  misleading: z.array(z.string()),
})
export type Question = z.infer<typeof Question>

/** The questions to a business, whose files are in a folder. */
export async function questionsIn(folder: string): Promise<Question[]> {
  return z.array(Question).parse(JSON.parse(await readFile(join(folder, questionsFile), 'utf8')))
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Whether a reply says some words; a number only as a whole one. */
export function isIn(words: string, reply: string): boolean {
  const begins = /^\d/.test(words) ? '(?<!\\d|\\d[.,:])' : ''
  const ends = /\d$/.test(words) ? '(?!\\d|[.,:]\\d)' : ''
  return new RegExp(`${begins}${escaped(words)}${ends}`, 'iu').test(reply)
}
