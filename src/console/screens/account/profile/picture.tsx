import { Avatar, Button, Card, FileButton, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, client, queryClient } from '../../../api/client.ts'
import { upload } from '../../../api/upload.ts'
import { tellDone, tellFailed } from '../../../parts/saved.ts'
import { useMayWriteOwn } from '../../../session/access.tsx'
import type { User } from './profile.tsx'

/** The caller's picture, which everybody who knows its address may see. */
export function Picture({ user }: { user: User }) {
  const mayWrite = useMayWriteOwn()
  const options = (done: string) => ({
    onSuccess() {
      tellDone(done)
      queryClient.invalidateQueries(api.profile.pathFilter())
    },
    onError: tellFailed,
  })
  const send = useMutation({
    mutationFn: (profile_picture: File) => upload('/user', { name: user.name, profile_picture }),
    ...options('Your picture is saved.'),
  })
  const remove = useMutation({
    mutationFn: () => client.profile.update.mutate({ name: user.name, profile_picture: null }),
    ...options('Your picture is removed.'),
  })
  return (
    <Card>
      <Group>
        <Avatar src={user.profile_picture} name={user.name} size={72} color="indigo" alt="Your picture" />
        <Text size="sm" c="dimmed" flex={1} miw={200}>
          A jpeg, png or gif of at most 2 MB. Whoever has its address can see it.
        </Text>
        {mayWrite && (
          <FileButton
            onChange={(file) => file && send.mutate(file)}
            accept="image/png,image/jpeg,image/gif"
            inputProps={{ 'aria-label': 'Your picture' }}
          >
            {(props) => (
              <Button {...props} variant="default" loading={send.isPending}>
                Choose a picture
              </Button>
            )}
          </FileButton>
        )}
        {mayWrite && user.profile_picture !== null && (
          <Button variant="default" onClick={() => remove.mutate()} loading={remove.isPending}>
            Remove
          </Button>
        )}
      </Group>
    </Card>
  )
}
