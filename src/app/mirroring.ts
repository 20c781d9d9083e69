import { createSlots } from '../api/rate-limit/slots.ts'
import { embeddedCarrier } from '../carrier/embedded/carrier.ts'
import { assistantRemote } from '../resources/assistants/remote.ts'
import { recordDrift } from '../resources/audit/record-drift.ts'
import { toolRemote } from '../resources/catalogue/tool-remote.ts'
import { importsPart } from '../resources/imports/worker.ts'
import { phoneNumberRemote } from '../resources/phone-numbers/remote.ts'
import { createNumberWork } from '../resources/phone-numbers/sync/number-work.ts'
import { squadRemote } from '../resources/squads/remote.ts'
import { systemTimers } from '../runtime/timers.ts'
import { createFindings } from '../voice-platform/drift/findings.ts'
import { createInspect } from '../voice-platform/drift/inspect.ts'
import { createScan } from '../voice-platform/drift/scan.ts'
import { createSweep } from '../voice-platform/drift/sweep.ts'
import { createBases } from '../voice-platform/mirror/agreement/bases.ts'
import { createMirror } from '../voice-platform/mirror/mirror.ts'
import type { RemoteKind } from '../voice-platform/mirror/remote-kind.ts'
import { maxConcurrent } from './concurrency.ts'
import type { Externals } from './externals.ts'

/**
 * Puts together what keeps records, the live platform and the carrier the same: the mirror of every kind of resource,
 * the look for drift, numbers and imports.
 * @param wake called when background work has become due
 */
export function createMirroring(externals: Externals, wake: () => void) {
  const { database, clock, log, platform, vault, settings, mirrorTimes, timers = systemTimers } = externals
  const { db } = database
  const { carrier = embeddedCarrier(db), carrierSlots = createSlots({ total: maxConcurrent.carrier }) } = externals
  const remoteKinds: RemoteKind[] = [
    toolRemote({ platform, db, clock }),
    assistantRemote({ platform, clock, settings }),
    squadRemote({ platform, clock, settings }),
    phoneNumberRemote({ platform, carrier, clock }),
  ]
  const announce = recordDrift(clock)
  const mirror = createMirror({ db, log, vault, remoteKinds, announce, wake, timers, ...mirrorTimes })
  const bases = createBases(vault)
  const sweep = createSweep({
    db,
    clock,
    log,
    bases,
    findings: createFindings({ db, vault, announce }),
    inspect: createInspect({ db, bases }),
    kinds: remoteKinds,
  })
  const drift = createScan({
    db,
    clock,
    log,
    sweep,
    minutes: externals.driftSweepMinutes ?? 0,
    requestsMs: externals.driftRequestsMs,
    wake,
    timers,
  })
  const sides = { db, clock, timers, log, platform, carrier, carrierSlots, mirror }
  const phoneNumbers = createNumberWork({ ...sides, ...mirrorTimes })
  const adoptions = importsPart({ db, clock, log, platform, carrier, vault, settings })
  return { mirror, drift, carrier, carrierSlots, phoneNumbers, adoptions }
}
