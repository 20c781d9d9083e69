import { AssistantFields, AssistantUpdate } from '../schema/assistant.ts'
import type { ResourceDefinition } from './resource.ts'

export const assistants: ResourceDefinition = { kind: 'assistant', create: AssistantFields, update: AssistantUpdate }
