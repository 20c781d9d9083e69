import { files, type PlantedBug } from './bug.ts'

/** What can go wrong with a prepaid balance. */
export const moneyBugs: PlantedBug[] = [
  {
    name: 'a turn does not see what others hold',
    file: files.spend,
    find: 'sql`${wallets.balance} - ${wallets.held} >= ${amount}`',
    replace: 'sql`${wallets.balance} >= ${amount}`',
    profile: 'money',
  },
  {
    name: 'a turn that lost its money spends that of others',
    file: files.payable,
    find: 'const most = (own ?? 0) + (await lockFree(tx, wallet))',
    replace: 'const most = own === undefined ? cost : own + (await lockFree(tx, wallet))',
    profile: 'money',
  },
  {
    name: 'what was freed already is freed again',
    file: files.spend,
    find: 'freed: freed?.amount ?? 0 })',
    replace: 'freed: freed?.amount ?? cost })',
    profile: 'money',
  },
  {
    name: 'a settled turn keeps its money held',
    file: files.spend,
    find: 'freed: freed?.amount ?? 0 })',
    replace: 'freed: 0 })',
    profile: 'money',
  },
  {
    name: 'what a dead process held is never freed',
    file: files.expiry,
    find: 'const expired = lt(holds.expiresAt, sql`now()`)',
    replace: "const expired = lt(holds.expiresAt, sql`now() - interval '1 day'`)",
    profile: 'money',
  },
  {
    name: 'a payment that is sent again is credited again',
    file: files.credit,
    find: '  if (entry) {\n',
    replace: '  if (entry || payment) {\n',
    profile: 'money',
  },
]
