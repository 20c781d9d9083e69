import type { TestApp } from '../support/app.ts'
import { type Client, clientOf } from '../support/client.ts'

/** A client that makes agents and chats. */
export interface Caller extends Client {
  agent(fields?: object): Promise<string>
  chat(agentId: string, fields?: object): Promise<string>
}

export function callerOf(app: TestApp, token: string): Caller {
  const client = clientOf(app, token)
  return {
    ...client,
    agent: async (fields = {}) => (await client.data('POST', '/agents', { name: 'Desk', ...fields })).id,
    chat: async (agentId, fields = {}) => (await client.data('POST', `/agents/${agentId}/chats`, fields)).id,
  }
}
