/** A JSON Schema (2020-12) as OpenAPI 3.1 uses it; only the keywords that are read here are named. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  [keyword: string]: unknown
}

/** A type and no interface, so that a reference also is a schema. */
export type Reference = { $ref: string }

export interface NamedExample {
  summary?: string
  value: unknown
}

export interface MediaType {
  schema?: JsonSchema
  example?: unknown
  examples?: Record<string, NamedExample>
}

export interface ParameterObject {
  in: string
  name: string
  description?: string
  required?: boolean
  schema?: JsonSchema
  example?: unknown
}

export interface HeaderObject {
  description: string
  schema: JsonSchema
  'x-extension'?: true
}

export interface ResponseObject {
  description: string
  headers?: Record<string, HeaderObject | Reference>
  content?: Record<string, MediaType>
}

export interface RequestBodyObject {
  required?: boolean
  content: Record<string, MediaType>
}

export interface OperationObject {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: (ParameterObject | Reference)[]
  requestBody?: RequestBodyObject
  responses: Record<string, ResponseObject | Reference>
  'x-trpc-procedure'?: string
  'x-extension'?: true
  'x-event-stream'?: boolean
}

/** Operations of one path, by method in lower case. */
export type PathItem = Record<string, OperationObject>

export interface Components {
  schemas: Record<string, JsonSchema>
  responses: Record<string, ResponseObject>
  parameters: Record<string, ParameterObject>
  headers: Record<string, HeaderObject>
  securitySchemes: Record<string, Record<string, string>>
}

/** An OpenAPI 3.1 document, as far as this one goes. */
export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  /** Names of groups of tags, which pages show as headings. */
  'x-tagGroups': { name: string; tags: string[] }[]
  paths: Record<string, PathItem>
  components: Components
}

/** A reference to a component. */
export const refTo = (kind: keyof Components, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` })
