import type { Env } from './env.ts'

const hostOf = (url: string) => new URL(url).host

/** What of the settings matters to whoever reads the log of a start: no secret, and no address with one in it. */
export function loggedSettings(env: Env) {
  const { voicePlatform, languageModel, objectStore, backups, telemetry, databaseConnections } = env
  return {
    database: env.databaseUrl === undefined ? 'embedded' : 'postgresql',
    databasePoolSize: env.databasePoolSize,
    databaseReplica: env.databaseReplicaUrl !== undefined,
    databasePooler: databaseConnections.pooler,
    databaseDeadlines: databaseConnections.deadlines,
    files: objectStore ? `object store ${hostOf(objectStore.endpoint)}` : 'data folder',
    voicePlatform: voicePlatform ? hostOf(voicePlatform.url) : 'embedded',
    languageModel: languageModel ? hostOf(languageModel.baseUrl) : 'built-in',
    embeddingsModel: env.embeddingsModel ?? 'embedded',
    carrier: env.carrier.kind,
    redis: env.redisUrl !== undefined,
    publicUrl: env.publicUrl,
    rateLimits: env.rateLimits,
    turnsAtOnce: env.turnsAtOnce,
    requestMs: env.requestMs,
    drainMs: env.drainMs,
    retention: env.retention,
    backupHours: backups.to === undefined ? 0 : backups.hours,
    telemetry: telemetry ? hostOf(telemetry.endpoint) : 'none',
  }
}
