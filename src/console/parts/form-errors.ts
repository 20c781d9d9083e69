import type { UseFormReturnType } from '@mantine/form'
import { fieldErrors } from '../api/failure.ts'
import { tellFailed } from './saved.ts'

/** Shows what the server refused at the form's fields, and as a notice where none of them is the form's. */
export function showErrors<Values>(
  form: Pick<UseFormReturnType<Values>, 'setErrors' | 'getValues'>,
  error: unknown,
  fieldOf: (path: string) => string = (path) => path,
): void {
  const errors = Object.entries(fieldErrors(error)).map(([path, text]) => [fieldOf(path), text] as const)
  form.setErrors(Object.fromEntries(errors))
  const fields = Object.keys(form.getValues() ?? {})
  if (!errors.some(([path]) => fields.includes(path.split('.')[0] ?? ''))) tellFailed(error)
}
