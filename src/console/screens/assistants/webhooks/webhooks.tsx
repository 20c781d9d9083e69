import { Deliveries } from '../../deliveries/deliveries.tsx'
import type { TabProps } from '../tabs.ts'

/** What was told about the assistant's calls. */
export default function Webhooks({ assistant }: TabProps) {
  return <Deliveries assistantId={assistant.assistant_id} webhook={assistant.webhook_url} />
}
