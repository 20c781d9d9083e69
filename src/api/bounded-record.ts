import { z } from 'zod'

interface BoundedDef extends z.core.$ZodRecordDef<z.core.$ZodRecordKey, z.core.$ZodType> {
  maxKeys: number
  tooMany: string | undefined
}

interface BoundedInternals extends z.core.$ZodRecordInternals {
  def: BoundedDef
}

interface Bounded extends z.ZodRecord {
  _zod: BoundedInternals
}

const countOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value).length : 0)

/** Where there are too many keys, each wrong entry would cost more to judge than the whole is to refuse. */
const Bounded: z.core.$constructor<Bounded, BoundedDef> = z.core.$constructor('BoundedRecord', (inst, def) => {
  z.ZodRecord.init(inst, def)
  const { parse } = inst._zod
  inst._zod.parse = (payload, ctx) => {
    if (countOf(payload.value) <= def.maxKeys) return parse(payload, ctx)
    const { value: input } = payload
    const said = def.tooMany === undefined ? {} : { message: def.tooMany }
    payload.issues.push({
      code: 'too_big',
      origin: 'record',
      maximum: def.maxKeys,
      inclusive: true,
      input,
      inst,
      ...said,
    })
    return payload
  }
})

/**
 * A record of at most so many keys, which are counted before any entry is looked at.
 * @param tooMany what is said of more of them, when it is not the default text
 */
export const boundedRecord = <Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  maxKeys: number,
  keyType: Key,
  valueType: Value,
  tooMany?: string,
): z.ZodRecord<Key, Value> => {
  const record: z.ZodType = new Bounded({ type: 'record', keyType, valueType, maxKeys, tooMany })
  return record.meta({ maxProperties: maxKeys }) as z.ZodRecord<Key, Value>
}
