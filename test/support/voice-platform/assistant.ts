import { expect } from 'vitest'
import { toPlatformAssistant } from '../../../src/voice-platform/mapping/assistant.ts'
import type { LiveAssistantConfig, LiveAssistantInput } from '../../../src/voice-platform/mapping/live-assistant.ts'

/** An assistant about which nothing is stored but its name. */
export const bareAssistant: LiveAssistantInput = {
  externalRef: 'ref-1',
  name: 'Anna',
  firstMessage: null,
  endCallMessage: null,
  voicemailMessage: null,
  messages: [],
  serverUrl: null,
  metadata: {},
  config: {},
}

/** A rule of the mapping: this configuration gives these fields of the body. */
export type MappingRow = [rule: string, config: LiveAssistantConfig, expected: Record<string, unknown>]

/** Checks one rule. */
export function expectMapping(config: LiveAssistantConfig, expected: Record<string, unknown>): void {
  const body = toPlatformAssistant({ ...bareAssistant, config })
  expect(Object.fromEntries(Object.entries(body).filter(([field]) => field in expected))).toEqual(expected)
}
