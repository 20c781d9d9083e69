import { notifications } from '@mantine/notifications'
import { messageOf } from '../api/failure.ts'

/** Says that something was done. */
export const tellDone = (message: string) => notifications.show({ color: 'teal', message, withBorder: true })

/** Says that something failed, in the server's words. */
export const tellFailed = (error: unknown) =>
  notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error), withBorder: true })
