import type { UseFormReturnType } from '@mantine/form'
import { fieldErrors } from '../api/failure.ts'
import { tellFailed } from './saved.ts'

/** Shows what the server refused at the form's fields, and everything else as a notice. */
export function showErrors<Values>(
  form: Pick<UseFormReturnType<Values>, 'setErrors'>,
  error: unknown,
  fieldOf: (path: string) => string = (path) => path,
): void {
  const errors = Object.entries(fieldErrors(error)).map(([path, text]) => [fieldOf(path), text])
  form.setErrors(Object.fromEntries(errors))
  if (errors.length === 0) tellFailed(error)
}
