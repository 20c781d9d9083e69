import { createClient } from '@hey-api/openapi-ts'

/** Writes what hey-api makes of a description: `hey-api.ts <description> <folder>`. */
const [input = '', output = ''] = process.argv.slice(2)
await createClient({ input, output, logs: { level: 'silent' } })
