import { z } from 'zod'
import { clientMessages, firstMessageModes, limits, serverMessages } from '../mapping/limits.ts'
import { Model } from './model.ts'
import {
  AnalysisPlan,
  ArtifactPlan,
  BackgroundSpeechDenoisingPlan,
  CompliancePlan,
  KeypadInputPlan,
  MonitorPlan,
  ObservabilityPlan,
  Server,
  StartSpeakingPlan,
  StopSpeakingPlan,
} from './plans.ts'
import { Transcriber, Voice, VoicemailDetection } from './speech.ts'
import { address, text, within } from './validation.ts'

const Hook = z.looseObject({
  on: z
    .enum([
      'call.ending',
      'assistant.speech.interrupted',
      'customer.speech.interrupted',
      'customer.speech.timeout',
      'session.created',
    ])
    .or(z.string().regex(/^customer\.speech\.timeout/)),
  do: z.array(z.looseObject({ type: z.string() })),
})

const Transport = z.strictObject({
  provider: z.literal('twilio'),
  timeout: within([1, 600]).optional(),
  record: z.boolean().optional(),
  recordingChannels: z.enum(['mono', 'dual']).optional(),
})

/** The body of POST /assistant: all optional, nothing else. `credentials` are not stored by the embedded platform. */
export const AssistantFields = z
  .strictObject({
    name: text(limits.name),
    firstMessage: z.string(),
    firstMessageMode: z.enum(firstMessageModes),
    firstMessageInterruptionsEnabled: z.boolean(),
    voicemailMessage: text(limits.message),
    endCallMessage: text(limits.message),
    endCallPhrases: z.array(text(limits.endCallPhrase[1], limits.endCallPhrase[0])),
    voicemailDetection: VoicemailDetection,
    maxDurationSeconds: within(limits.maxDurationSeconds),
    backgroundSound: z.enum(['off', 'office']).or(address()),
    modelOutputInMessagesEnabled: z.boolean(),
    clientMessages: z.array(z.enum(clientMessages)),
    serverMessages: z.array(z.enum(serverMessages)),
    transportConfigurations: z.array(Transport),
    transcriber: Transcriber,
    model: Model,
    voice: Voice,
    compliancePlan: CompliancePlan,
    backgroundSpeechDenoisingPlan: BackgroundSpeechDenoisingPlan,
    startSpeakingPlan: StartSpeakingPlan,
    stopSpeakingPlan: StopSpeakingPlan,
    monitorPlan: MonitorPlan,
    keypadInputPlan: KeypadInputPlan,
    analysisPlan: AnalysisPlan,
    artifactPlan: ArtifactPlan,
    observabilityPlan: ObservabilityPlan,
    server: Server,
    metadata: z.record(z.string(), z.unknown()),
    credentialIds: z.array(z.string()),
    hooks: z.array(Hook),
  })
  .partial()

/** PATCH takes the same body, with null on the fields that it clears. */
export const AssistantUpdate = AssistantFields.extend({
  server: Server.nullish(),
  observabilityPlan: ObservabilityPlan.nullish(),
})
