import { Card } from '@mantine/core'
import type { TabProps } from '../tabs.ts'
import { AssistantTestCall } from './test-call.tsx'

/** A test call on a page of its own, for narrow screens. */
export default function Talk({ assistant }: TabProps) {
  return (
    <Card maw={760} mx="auto" w="100%">
      <AssistantTestCall assistantId={assistant.assistant_id} />
    </Card>
  )
}
