import type { AnyProcedure, AnyRouter } from '@trpc/server'
import type { HttpMethod, OperationMeta } from './meta.ts'
import { type Call, checkedCall } from './schema-compiler/checked-call.ts'

type Openapi = NonNullable<OperationMeta['openapi']>

/** A procedure's REST face, as its metadata says it. */
export interface Operation {
  /** Dotted procedure path, such as `assistants.update`. */
  name: string
  type: 'query' | 'mutation'
  meta: OperationMeta & { openapi: Openapi }
  methods: HttpMethod[]
  /** OpenAPI form: `/assistants/{assistantId}`. */
  path: string
  pathParameters: string[]
  inputs: readonly unknown[]
  /** Its checks and its work, for callers whose gates are passed. */
  call(call: Call): Promise<unknown>
}

interface ProcedureDefinition {
  meta?: OperationMeta
  inputs: readonly unknown[]
  type: 'query' | 'mutation'
}

/** The procedures that only read, by their names. */
export const readsOf = (operations: readonly Operation[]): ReadonlyMap<string, Operation> =>
  new Map(operations.filter(({ type }) => type === 'query').map((operation) => [operation.name, operation]))

/** Every procedure of a router that has a REST face, in the order of definition. */
export function operationsOf(router: AnyRouter): Operation[] {
  const procedures: Record<string, AnyProcedure> = router._def.procedures
  const operations: Operation[] = []
  for (const [name, procedure] of Object.entries(procedures)) {
    const { meta, inputs, type } = procedure._def as unknown as ProcedureDefinition
    const openapi = meta?.openapi
    if (!meta || !openapi) continue
    operations.push({
      name,
      type,
      meta: { ...meta, openapi },
      methods: [openapi.method, ...(meta.also ?? [])],
      path: openapi.path,
      pathParameters: [...openapi.path.matchAll(/\{(\w+)\}/g)].flatMap((match) => match[1] ?? []),
      inputs,
      call: checkedCall(name, procedure),
    })
  }
  return operations
}
