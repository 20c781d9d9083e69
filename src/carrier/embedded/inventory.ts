import type { OfferedNumber } from '../carrier.ts'

interface Place {
  locality: string
  region: string
}

/** The area codes that are offered when none is asked for. */
const places: Record<string, Place> = {
  '212': { locality: 'New York', region: 'NY' },
  '305': { locality: 'Miami', region: 'FL' },
  '312': { locality: 'Chicago', region: 'IL' },
  '415': { locality: 'San Francisco', region: 'CA' },
  '512': { locality: 'Austin', region: 'TX' },
}

/**
 * Exchange 555 of any area code and area code 555 belong to no one: the embedded carrier sells nothing that could be
 * somebody's number.
 */
const sold = /^\+1(?:([2-9]\d{2})(555)|(555)(\d{3}))(\d{4})$/

/** How many numbers an area code has. */
const perAreaCode = 10_000

/** A step that visits every line number once, so that offers look like a carrier's and are always the same. */
const step = 7_919

const lineAt = (index: number) => String((index * step + 137) % perAreaCode).padStart(4, '0')

/** One number of the inventory, or undefined for a number that is none of it. A line ending in 9 takes no messages. */
export function inventoryNumber(number: string): OfferedNumber | undefined {
  const [, ...parts] = sold.exec(number) ?? []
  const [areaCode = '', exchange = '', line = ''] = parts.filter((part) => part !== undefined)
  if (areaCode === '' || areaCode.endsWith('11')) return undefined
  const { locality = null, region = null } = places[areaCode] ?? {}
  return {
    number,
    friendlyName: `(${areaCode}) ${exchange}-${line}`,
    locality,
    region,
    country: 'US',
    capabilities: { voice: true, sms: !line.endsWith('9') },
  }
}

/** The inventory in its fixed order: of one area code, or of the known ones in turn. */
export function* inventory(areaCode: string | undefined): Generator<OfferedNumber> {
  const areaCodes = areaCode === undefined ? Object.keys(places) : [areaCode]
  for (let index = 0; index < perAreaCode; index += 1) {
    for (const code of areaCodes) {
      const found = inventoryNumber(`+1${code}555${lineAt(index)}`)
      if (found) yield found
    }
  }
}
