import { defineConfig } from 'drizzle-kit'

/** `bun run generate`: from the table files to SQL in this folder, where the server finds it. */
export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/**/table.ts', './src/db/tables.ts'],
  out: './drizzle',
})
