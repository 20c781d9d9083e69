import { Button, Card } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Empty } from '../parts/empty.tsx'
import { Page } from '../parts/page.tsx'

/** An address that the console does not have. */
export function NotFound() {
  return (
    <Page title="Nothing here">
      <Card>
        <Empty
          icon={<IconMapOff />}
          title="This address leads nowhere"
          action={
            <Button component={Link} to="/">
              To the home screen
            </Button>
          }
        >
          What was here may have been deleted, or belongs to another workspace.
        </Empty>
      </Card>
    </Page>
  )
}
