import { describe, test } from 'vitest'
import { expectMapping, type MappingRow } from '../support/voice-platform/assistant.ts'

describe('plans', () => {
  const rows: MappingRow[] = [
    // compliance and artifacts
    [
      'compliance switches recording off',
      { compliancePlan: { recordingEnabled: false }, artifactPlan: { recording: true } },
      { compliancePlan: {}, artifactPlan: { recordingEnabled: false, transcriptPlan: { enabled: true } } },
    ],
    [
      'the artifact plan switches recording off',
      { compliancePlan: { recordingEnabled: true }, artifactPlan: { recording: false } },
      { artifactPlan: { recordingEnabled: false, transcriptPlan: { enabled: true } } },
    ],
    [
      'both allow recording',
      { compliancePlan: { recordingEnabled: true }, artifactPlan: { recording: true } },
      { artifactPlan: { recordingEnabled: true, transcriptPlan: { enabled: true } } },
    ],
    [
      'compliance switches transcription off',
      { compliancePlan: { transcriptionEnabled: false } },
      { artifactPlan: { recordingEnabled: true, transcriptPlan: { enabled: false } } },
    ],
    [
      'the artifact plan switches the transcript off',
      { artifactPlan: { transcript: false } },
      { artifactPlan: { recordingEnabled: true, transcriptPlan: { enabled: false } } },
    ],
    [
      'retention stays local, native keys pass',
      { compliancePlan: { dataRetentionDays: 9, hipaaEnabled: true } },
      { compliancePlan: { hipaaEnabled: true } },
    ],
    [
      'native artifact keys pass',
      { artifactPlan: { recordingFormat: 'mp3', transcriptPlan: { userName: 'U' } } },
      {
        artifactPlan: {
          recordingFormat: 'mp3',
          recordingEnabled: true,
          transcriptPlan: { userName: 'U', enabled: true },
        },
      },
    ],
    // analysis
    [
      'summary off',
      { artifactPlan: { summary: false } },
      { analysisPlan: { summaryPlan: { enabled: false }, successEvaluationPlan: { enabled: true } } },
    ],
    [
      'analysis off',
      { artifactPlan: { analysis: false } },
      { analysisPlan: { summaryPlan: { enabled: true }, successEvaluationPlan: { enabled: false } } },
    ],
    [
      'an explicit analysis plan wins',
      {
        artifactPlan: { summary: false, analysis: false },
        analysisPlan: { summaryPlan: { enabled: true }, minMessagesThreshold: 1 },
      },
      {
        analysisPlan: {
          minMessagesThreshold: 1,
          summaryPlan: { enabled: true },
          successEvaluationPlan: { enabled: false },
        },
      },
    ],
    // denoising
    [
      'both denoisers',
      { backgroundSpeechDenoisingPlan: { smartDenoising: true, fourierDenoising: true } },
      {
        backgroundSpeechDenoisingPlan: {
          smartDenoisingPlan: { enabled: true },
          fourierDenoisingPlan: { enabled: true },
        },
      },
    ],
    [
      'backgroundDenoisingEnabled is the smart denoiser',
      { backgroundDenoisingEnabled: true },
      {
        backgroundSpeechDenoisingPlan: {
          smartDenoisingPlan: { enabled: true },
          fourierDenoisingPlan: { enabled: false },
        },
      },
    ],
    [
      'the plan wins over backgroundDenoisingEnabled',
      { backgroundDenoisingEnabled: true, backgroundSpeechDenoisingPlan: { smartDenoising: false } },
      {
        backgroundSpeechDenoisingPlan: {
          smartDenoisingPlan: { enabled: false },
          fourierDenoisingPlan: { enabled: false },
        },
      },
    ],
    // keypad
    [
      'hash ends the input, maxDigits local',
      { keypadInputPlan: { enabled: true, maxDigits: 4, terminateOnHash: true } },
      { keypadInputPlan: { enabled: true, delimiters: '#' } },
    ],
    [
      'hash does not end the input',
      { keypadInputPlan: { enabled: true, terminateOnHash: false } },
      { keypadInputPlan: { enabled: true, delimiters: '' } },
    ],
    [
      'native keypad keys win',
      { keypadInputPlan: { enabled: true, terminateOnHash: true, delimiters: '*', timeoutSeconds: 3 } },
      { keypadInputPlan: { enabled: true, delimiters: '*', timeoutSeconds: 3 } },
    ],
    // monitor and speaking plans
    [
      'the websocket address stays local',
      { monitorPlan: { listenEnabled: false, controlEnabled: false, websocketUrl: 'wss://x.example' } },
      { monitorPlan: { listenEnabled: false, controlEnabled: false } },
    ],
    [
      'start delay, volume local',
      { startSpeakingPlan: { initialDelayMs: 1500, backgroundSoundVolume: 1 } },
      { startSpeakingPlan: { waitSeconds: 1.5 } },
    ],
    [
      'start delay beyond the limit',
      { startSpeakingPlan: { initialDelayMs: 6000 } },
      { startSpeakingPlan: { waitSeconds: 5 } },
    ],
    [
      'native start key wins',
      { startSpeakingPlan: { initialDelayMs: 1500, waitSeconds: 0.2 } },
      { startSpeakingPlan: { waitSeconds: 0.2 } },
    ],
    [
      'stop delay, volume local',
      { stopSpeakingPlan: { initialDelayMs: 2500, backgroundSoundVolume: 1, numWords: 2 } },
      { stopSpeakingPlan: { backoffSeconds: 2.5, numWords: 2 } },
    ],
    [
      'stop delay beyond the limit',
      { stopSpeakingPlan: { initialDelayMs: 60_000 } },
      { stopSpeakingPlan: { backoffSeconds: 10 } },
    ],
  ]
  test.each(rows)('%s', (_, config, expected) => expectMapping(config, expected))
})
