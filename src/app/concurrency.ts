import { defaultTurnsAtOnce } from '../language-model/settings.ts'

/** Outgoing connections that Bun opens at once; further requests wait until one of them ends. */
export const maxConnections = 256

/**
 * How much of each kind of outgoing work runs at once in a process, so that no kind takes the connections of another.
 * Of each, one workspace gets a quarter of what others left. Together they leave connections to what has no bound of
 * its own: remote embeddings, of which one is made at a time.
 */
export const maxConcurrent = {
  /** Unless TURN_CONCURRENCY says otherwise. */
  turns: defaultTurnsAtOnce,
  toolServers: 40,
  webhooks: 48,
  /** Servers of simulated calls that are waited for. */
  questions: 16,
  objectStore: 20,
  carrier: 8,
  /** Calls of a real voice platform; those beyond wait, within the call's own time. */
  voicePlatform: 20,
}
