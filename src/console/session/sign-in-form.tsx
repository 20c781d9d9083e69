import { Button, Checkbox, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { serverUrl } from '../api/address.ts'
import { session } from './session.ts'

/** Whose token it is, where the server says so; undefined when it knows no such token. */
async function ownerOf(token: string): Promise<{ id?: number } | undefined> {
  const response = await fetch(`${serverUrl}/user`, { headers: { authorization: `Bearer ${token}` } })
  if (response.status === 401) return undefined
  return response.ok ? (await response.json()).data : {}
}

interface SignInFormProps {
  note?: string
  /** Whose screen is under the form: they go on with it, anybody else begins anew. */
  former?: number
  onDone?(): void
}

/** Takes a token that the server knows. */
export function SignInForm({ note, former, onDone }: SignInFormProps) {
  const [checking, setChecking] = useState(false)
  const form = useForm({
    initialValues: { token: '', keep: false },
    validate: { token: (token) => (/^\S+$/.test(token.trim()) ? null : 'Enter a token.') },
  })
  const submit = form.onSubmit(async ({ token, keep }) => {
    setChecking(true)
    try {
      const owner = await ownerOf(token.trim())
      if (owner) {
        session.signIn(token.trim(), { keep, goesOn: former !== undefined && owner.id === former })
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
