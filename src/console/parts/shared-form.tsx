import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { bothChanged, type Clash, rebased, same } from './changes.ts'
import { showErrors } from './form-errors.ts'
import { formatWord } from './format.ts'
import { Meanwhile } from './meanwhile.tsx'

/** What is edited here, and may be changed by others at the same time. */
interface Shared<Stored, Values> {
  /** As it was when it was opened. */
  stored: Stored
  /** What is edited of it. */
  valuesOf(stored: Stored): Values
  read(): Promise<Stored>
  /** Saves the values of what is stored as `now`; responds with what is stored then. */
  write(values: Values, now: Stored): Promise<Stored>
  /** What the field at a path is called. */
  nameOf?: (path: string) => string
  onSaved(saved: Stored): void
}

interface Edited<Values> {
  /** What is typed now. */
  shown(): Values
  show(values: Values): void
  onError?: (error: unknown) => void
}

/**
 * Saves what is edited, and keeps what others changed since it was opened, and what is typed while it is saved. Where
 * both changed the same, nothing is saved before the question is answered that is part of the screen.
 */
export function useSharedSave<Stored, Values>({
  stored,
  valuesOf,
  read,
  write,
  nameOf,
  onSaved,
  shown,
  show,
  onError,
}: Shared<Stored, Values> & Edited<Values>) {
  const [start, setStart] = useState(() => valuesOf(stored))
  const [clashes, setClashes] = useState<readonly Clash[]>([])
  const save = useMutation({
    async mutationFn({ sent }: { sent: Values }) {
      const now = await read()
      const fresh = valuesOf(now)
      const found = bothChanged(start, sent, fresh)
      const merged = rebased(start, sent, fresh)
      if (found.length > 0) return { found, fresh, merged }
      const saved = await write(merged, now)
      return { found, fresh: valuesOf(saved), merged: valuesOf(saved), saved }
    },
    onSuccess({ found, fresh, merged, saved }, { sent }) {
      setStart(fresh)
      show(rebased(sent, shown(), merged))
      setClashes(found)
      if (saved !== undefined) onSaved(saved)
    },
    onError,
  })
  const close = () => setClashes([])
  const submit = () => save.mutate({ sent: shown() })
  return {
    /** What is stored, as far as it is known here. */
    start,
    /** Saves what is typed now. */
    submit,
    isSaving: save.isPending,
    error: save.error,
    /** Begins anew with what is stored. */
    begin(now: Stored) {
      setStart(valuesOf(now))
      show(valuesOf(now))
    },
    question: (
      <Meanwhile
        clashes={clashes}
        nameOf={nameOf}
        onSave={() => {
          close()
          submit()
        }}
        onClose={close}
      />
    ),
  }
}

interface SharedForm<Stored, Values> extends Shared<Stored, Values> {
  form: Pick<UseFormReturnType<Values>, 'values' | 'getValues' | 'setValues' | 'setErrors' | 'clearErrors' | 'onSubmit'>
  /** The form's field for a field of the API. */
  fieldOf?: (path: string) => string
}

/** The same for a form, which shows at its fields what the server refuses. */
export function useSharedForm<Stored, Values>({ form, fieldOf, ...shared }: SharedForm<Stored, Values>) {
  const { start, submit, ...rest } = useSharedSave<Stored, Values>({
    nameOf: formatWord,
    ...shared,
    shown: form.getValues,
    show: form.setValues,
    onError: (error) => showErrors(form, error, fieldOf),
  })
  return {
    ...rest,
    isChanged: !same(form.values, start),
    submit: form.onSubmit(submit),
    discard() {
      form.setValues(start)
      form.clearErrors()
    },
  }
}
