import { Button, Group, Progress, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Confirm } from '../../parts/confirm.tsx'
import { tellDone, tellFailed } from '../../parts/saved.ts'
import { useSharedForm } from '../../parts/shared-form.tsx'
import { useUnsaved } from '../../parts/unsaved.ts'
import { type Budget, type Limits, sayUsed, windows } from './used.ts'

interface BudgetProps {
  budget: Budget
  read(): Promise<{ data: Budget }>
  /** Sets both limits, and responds with the budget as it then is. */
  put(limits: Limits): Promise<{ data: Budget }>
  onSaved(): void
}

const valuesOf = ({ window, tokens, usd }: Budget) => ({
  window: window ?? 'day',
  tokens: tokens === null ? '' : String(tokens),
  usd: usd === null ? '' : String(usd),
})

const numberOf = (text: string) => (text.trim() === '' ? null : Number(text))

/** What is used of each limit, as a bar with its text. */
export function Used({ budget }: { budget: Budget }) {
  const used = sayUsed(budget)
  if (used.length === 0) return <Text c="dimmed">There is no limit.</Text>
  return (
    <Stack gap="xs">
      {used.map(({ text, share }) => (
        <div key={text}>
          <Text size="sm" className="numbers">
            {text}
          </Text>
          <Progress
            value={share * 100}
            color={share >= 1 ? 'red' : share >= 0.8 ? 'orange' : 'teal'}
            aria-label={text}
          />
        </div>
      ))}
    </Stack>
  )
}

/** Sets, changes and removes the limits of an agent or a token. */
export function BudgetForm({ budget, read, put, onSaved }: BudgetProps) {
  const form = useForm({
    initialValues: valuesOf(budget),
    validate: {
      tokens: (text) => (/^\d*$/.test(text.trim()) ? null : 'Write it with digits alone, such as 125000.'),
      usd: (text, { tokens }) => {
        if (!/^(\d+(\.\d{1,6})?)?$/.test(text.trim()))
          return 'Write it with digits and at most one point, such as 12.50.'
        return text.trim() === '' && tokens.trim() === '' ? 'Name a limit in money, in tokens or in both.' : null
      },
    },
  })
  const { isChanged, isSaving, submit, begin, question } = useSharedForm({
    form,
    stored: budget,
    valuesOf,
    read: async () => (await read()).data,
    write: async ({ window, tokens, usd }) =>
      (await put({ window, tokens: numberOf(tokens), usd: numberOf(usd) })).data,
    onSaved() {
      tellDone('The budget is saved.')
      onSaved()
    },
  })
  useUnsaved(isChanged)
  const remove = useMutation({
    mutationFn: () => put({ window: form.values.window, tokens: null, usd: null }),
    onSuccess({ data }) {
      tellDone('The budget is removed.')
      begin(data)
      onSaved()
    },
    onError: tellFailed,
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <TextInput
            label="US dollars at most"
            placeholder="No limit"
            inputMode="decimal"
            {...form.getInputProps('usd')}
          />
          <TextInput
            label="Tokens at most"
            placeholder="No limit"
            inputMode="numeric"
            {...form.getInputProps('tokens')}
          />
          <Select
            label="In each"
            data={Object.entries(windows).map(([value, label]) => ({ value, label }))}
            allowDeselect={false}
            {...form.getInputProps('window')}
          />
        </Group>
        <Text size="xs" c="dimmed">
          Days, weeks and months are those of UTC. Where both limits are set, the one that is reached first counts.
        </Text>
        <Group justify="flex-end">
          {budget.window !== null && (
            <Confirm
              title="Remove the budget?"
              text="Then nothing but the balance limits what is used."
              action="Remove budget"
              onConfirm={() => remove.mutate()}
            >
              {(ask) => (
                <Button variant="default" onClick={ask}>
                  Remove
                </Button>
              )}
            </Confirm>
          )}
          <Button type="submit" loading={isSaving}>
            Save budget
          </Button>
        </Group>
        {question}
      </Stack>
    </form>
  )
}
