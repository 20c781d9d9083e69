import { createFormContext } from '@mantine/form'
import type { Values } from './values.ts'

/** The editor's form, for the groups of fields in it. */
export const [EditProvider, useEdit, useEditForm] = createFormContext<Values>()
