import { idempotencyKeys, idempotencyResults, responseContext, resultContext } from '../api/idempotency/table.ts'
import { assistants } from '../resources/assistants/table.ts'
import { auditEntries } from '../resources/audit/table.ts'
import { baseConfigs, layer2Presets, personalities, toolCreations, tools } from '../resources/catalogue/table.ts'
import { headersContext } from '../resources/connectors/headers.ts'
import { connectors } from '../resources/connectors/table.ts'
import { assistantVersions } from '../resources/history/table.ts'
import { phoneNumbers } from '../resources/phone-numbers/table.ts'
import { squads } from '../resources/squads/table.ts'
import { markContext } from '../secrets/mark/mark.ts'
import { installation } from '../secrets/mark/table.ts'
import type { SecretColumn } from '../secrets/rotate.ts'
import { sealedColumnsOf } from '../secrets/sealed-json.ts'
import { leavesContext } from '../voice-platform/drift/findings.ts'
import { drifts } from '../voice-platform/drift/table.ts'
import { platformObjects } from '../voice-platform/embedded/store/table.ts'
import { basesContext } from '../voice-platform/mirror/agreement/bases.ts'
import { intentsContext } from '../voice-platform/mirror/agreement/intents.ts'
import { liveBases } from '../voice-platform/mirror/agreement/table.ts'
import { liveWrites } from '../voice-platform/mirror/journal/table.ts'
import { requestContext } from '../webhooks/request.ts'
import { webhookDeliveries } from '../webhooks/table.ts'

/** Every column with sealed texts, for `bun run rotate-secrets`: whoever stores secrets adds a line. */
export const secretColumns: readonly SecretColumn[] = [
  { table: installation, id: installation.name, column: installation.value, context: markContext },
  { table: idempotencyKeys, id: idempotencyKeys.keyHash, column: idempotencyKeys.body, context: responseContext },
  {
    ...{ table: idempotencyResults, id: idempotencyResults.id },
    ...{ column: idempotencyResults.result, context: resultContext },
  },
  { table: connectors, id: connectors.id, column: connectors.headers, context: headersContext },
  { table: liveWrites, id: liveWrites.id, column: liveWrites.intents, context: intentsContext },
  { table: liveBases, id: liveBases.id, column: liveBases.bodies, context: basesContext },
  { table: drifts, id: drifts.id, column: drifts.leaves, context: leavesContext },
  { table: webhookDeliveries, id: webhookDeliveries.id, column: webhookDeliveries.request, context: requestContext },
  ...sealedColumnsOf(
    ...[assistants.id, assistantVersions.id, auditEntries.id, squads.id, phoneNumbers.id],
    ...[baseConfigs.id, layer2Presets.id, personalities.id, tools.id, toolCreations.ref],
    ...[platformObjects.id, webhookDeliveries.id],
  ),
]
