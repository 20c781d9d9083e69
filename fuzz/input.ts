import type { Caller, Tenant } from './cast.ts'
import { tenantOf } from './cast.ts'
import type { Described, Parameter } from './description.ts'
import { hostileText } from './hostile.ts'
import type { Lane } from './lane.ts'
import type { Random } from './random.ts'
import { type Material, sample } from './sample.ts'

const words = ['Front desk', 'Größe', '日本語', 'Ada', 'a', '{{company_name}} calls', "O'Neill", '50% off', '🙂 team']

/** What the caller's values are made with: every other text carries its tenant's marker. */
export function materialOf({ cast, pool, description }: Lane, random: Random, caller: Caller): Material {
  const tenant = tenantOf(caller) ?? 'ada'
  const marker = tenant === 'operator' ? 'op' : cast.markers[tenant]
  return {
    random,
    description,
    text: () => (random.chance(0.5) ? `${random.pickAny(words)} ${marker}` : (random.pickAny(words) ?? marker)),
    id(field, isNumber) {
      if (field === 'user_id' && random.chance(0.8)) return random.pickAny(cast.guests)
      const other = tenant === 'ada' ? 'bob' : 'ada'
      // Numbers in bodies name what operators made for everybody.
      const from = isNumber ? 'operator' : random.chance(0.8) ? tenant : other
      const found = pool.pickFor(random, from, field)
      return isNumber && found !== undefined && /^\d+$/.test(found) ? Number(found) : found
    },
  }
}

/** An operation's path, its values, and what is known of them. */
export interface FilledPath {
  values: Record<string, string>
  path: string
  target: string
  owner: Tenant | undefined
  routed: boolean
}

const nothing: readonly [string, ...string[]] = [
  '00000000-0000-4000-8000-000000000000',
  '999999999',
  'draft_no-such-squad',
  'pk_nothing',
]

/** Fills a path with ids of the caller's own, of the other tenant, of nothing, or with texts that are no ids. */
export function fillPath(lane: Lane, random: Random, caller: Caller, { path, method }: Described): FilledPath {
  const { pool, cast } = lane
  const own = tenantOf(caller) ?? 'bob'
  const isAdmin = path.startsWith('/admin')
  const dice = random.next()
  // What an operator writes to is made here: no number by chance, which could be anybody's.
  const bound = isAdmin && method !== 'GET'
  const from: Tenant = isAdmin ? 'operator' : dice < 0.8 || own === 'operator' ? own : own === 'ada' ? 'bob' : 'ada'
  const values: Record<string, string> = {}
  let owner: Tenant | undefined = from
  let routed = true
  let filled = ''
  let target = ''
  for (const part of path.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined) {
      filled += `/${part}`
      target += `/${part}`
      continue
    }
    let value = pool.pick(random, from, filled)
    if (name === 'public_key') value = pool.pick(random, from, '/widget')
    if (name === 'user_id' && path.includes('/shares/')) value = String(random.pickAny(cast.guests))
    if (value === undefined || (dice > 0.92 && random.chance(0.7))) {
      owner = undefined
      value = bound || random.chance(0.3) ? random.pick(nothing) : hostileText(random)
    }
    if (value === '' || value === '.' || value === '..') routed = false
    values[name] = value
    filled += `/${value}`
    target += `/${encodeURIComponent(value.toWellFormed())}`
  }
  return { values, path: filled, target, owner: Object.keys(values).length > 0 ? owner : undefined, routed }
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

/** A query of an operation's parameters, right or wrong, with `?`; empty for none. */
export function queryOf(material: Material, parameters: Parameter[]): string {
  const { random } = material
  const pairs: string[] = []
  for (const { name, schema, in: place } of parameters) {
    if (place !== 'query' || random.chance(0.5)) continue
    const value = random.chance(0.7) ? String(sample(material, schema, name)) : hostileText(random)
    pairs.push(`${encoded(name)}=${encoded(value)}`)
    if (random.chance(0.05)) pairs.push(`${encoded(name)}=${encoded(hostileText(random))}`)
  }
  if (random.chance(0.1)) {
    pairs.push(
      random.pick(['%', '%00=%00', '__proto__=1', '__proto__[x]=1', 'page[]=1', '=', '&&', 'a=%ff%fe', '%ED%A0%80=1']),
    )
  }
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}
