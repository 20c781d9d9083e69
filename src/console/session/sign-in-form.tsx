import { Button, Checkbox, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { serverUrl } from '../api/address.ts'
import { session } from './session.ts'

async function isKnown(token: string): Promise<boolean> {
  const response = await fetch(`${serverUrl}/user`, { headers: { authorization: `Bearer ${token}` } })
  return response.status !== 401
}

/** Takes a token that the server knows. */
export function SignInForm({ note, onDone }: { note?: string; onDone?: () => void }) {
  const [checking, setChecking] = useState(false)
  const form = useForm({
    initialValues: { token: '', keep: false },
    validate: { token: (token) => (/^\S+$/.test(token.trim()) ? null : 'Enter a token.') },
  })
  const submit = form.onSubmit(async ({ token, keep }) => {
    setChecking(true)
    try {
      if (await isKnown(token.trim())) {
        session.signIn(token.trim(), keep)
        onDone?.()
      } else form.setFieldError('token', 'The server does not know this token.')
    } catch {
      form.setFieldError('token', 'The server cannot be reached.')
    } finally {
      setChecking(false)
    }
  })
  return (
    <form onSubmit={submit}>
      <Stack>
        {note && <Text size="sm">{note}</Text>}
        <PasswordInput
          label="Token"
          placeholder="vk_…"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('token')}
        />
        <Checkbox
          label="Stay signed in on this device"
          description="Otherwise the token is forgotten when this tab closes."
          {...form.getInputProps('keep', { type: 'checkbox' })}
        />
        <Button type="submit" loading={checking} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}
