import { notifications } from '@mantine/notifications'
import { messageOf } from '../api/failure.ts'

/** Says that something was done. */
export const tellDone = (message: string) => notifications.show({ color: 'teal', message, withBorder: true })

const away = 'away'

/** Says, until it is back, that the server is out of reach. */
export const tellAway = (isAway: boolean) =>
  isAway
    ? notifications.show({
        id: away,
        loading: true,
        autoClose: false,
        withBorder: true,
        withCloseButton: false,
        title: 'The server cannot be reached',
        message: 'It is tried again every few seconds. What you typed stays.',
      })
    : notifications.update({
        id: away,
        loading: false,
        autoClose: 4_000,
        withBorder: true,
        color: 'teal',
        title: 'The server is back',
        message: undefined,
      })

/** Says that something failed, in the server's words. */
export const tellFailed = (error: unknown) =>
  notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error), withBorder: true })
