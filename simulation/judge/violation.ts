/** The invariants, by name. */
export const rules = {
  lease: 'nobody loses a lease before it has run out',
  'live first': 'what is acknowledged was on the platform',
  serves: 'while nothing breaks, each operation succeeds',
  settles: 'after the faults stop, nothing is under way for long',
  'both sides': 'every record has its object, which is as recorded, and the other way round',
  stays: 'both sides stay as they are once they agree',
  acknowledged: 'what was acknowledged is in the record or in its history',
  refused: 'what was refused is not made',
  'nothing else': 'a save changes nothing that it does not name',
  deleted: 'what was deleted stays deleted',
  outside: 'what was changed outside is in the record, in its history, or still there',
  'no false drift': 'no write of ours is taken for a change made outside, in the list of drift or in a history',
  'paid once': 'a number is paid once, and belongs to who bought it',
  money: 'a balance is the sum of its entries, no turn spends what another holds, and each is charged once',
  surprise: 'no write ends with an error that nobody foresaw',
} as const
export type Rule = keyof typeof rules

export interface Violation {
  rule: Rule
  what: string
}

export const violation =
  (rule: Rule) =>
  (what: string): Violation => ({ rule, what })
