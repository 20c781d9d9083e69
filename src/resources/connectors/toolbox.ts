import type { ToolSet } from 'ai'
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { preparedSelect } from '../../db/prepared/statement.ts'
import { readsOf } from '../../db/reads.ts'
import { modelLibrary } from '../../language-model/library.ts'
import type { Toolbox } from '../../language-model/toolbox.ts'
import { agents } from '../agents/table.ts'
import { shares } from '../shares/table.ts'
import { serverOf } from './headers.ts'
import { type LiveTools, liveTools } from './live-tools.ts'
import { countsOnAgent, shareOfOwner } from './on-agent.ts'
import { agentConnectors, connectors } from './table.ts'

/**
 * A model is not offered more tools than this, those of the connectors first registered first
 * (contract: connectors 14).
 */
const maxTools = 64
const maxNameLength = 64

const wireSafe = (text: string) => text.replace(/[^A-Za-z0-9_-]+/g, '_')

/** A tool's name on the wire: the connector's, then its own, in the signs that models take, and never twice. */
function wireName(connector: string, tool: string, taken: ReadonlySet<string>): string {
  const whole = `${wireSafe(connector).slice(0, 20)}__${wireSafe(tool)}`
  for (let count = 1; ; count++) {
    const ending = count === 1 ? '' : `_${count}`
    const name = whole.slice(0, maxNameLength - ending.length) + ending
    if (!taken.has(name)) return name
  }
}

const onAgent = { connector: getTableColumns(connectors), disabled: agentConnectors.disabledTools }
type OnAgent = { connector: typeof connectors.$inferSelect; disabled: string[] }

const findConnectors = preparedSelect<OnAgent>(onAgent, (executor) =>
  executor
    .select(onAgent)
    .from(agentConnectors)
    .innerJoin(connectors, eq(connectors.id, agentConnectors.connectorId))
    .innerJoin(agents, eq(agents.id, agentConnectors.agentId))
    .leftJoin(shares, shareOfOwner)
    .where(
      and(
        eq(agentConnectors.agentId, sql.placeholder('agentId')),
        eq(agentConnectors.enabled, true),
        eq(connectors.active, true),
        countsOnAgent,
      ),
    )
    .orderBy(asc(connectors.id)),
)

/** The tools of an agent's enabled connectors; a call connects, calls and closes, so nothing stays open. */
export function connectorToolbox(live: LiveTools): Toolbox {
  return {
    async open(agent, signal) {
      const rows = await findConnectors(readsOf(live.db), { agentId: agent.id })
      const lists = await Promise.all(rows.map(({ connector }) => liveTools(live, connector)))
      signal.throwIfAborted()
      const { dynamicTool, jsonSchema } = await modelLibrary()
      const tools: ToolSet = {}
      const names = new Map<string, string>()
      for (const [index, { connector, disabled }] of rows.entries()) {
        for (const tool of lists[index] ?? []) {
          if (disabled.includes(tool.name) || names.size >= maxTools) continue
          const wire = wireName(connector.name, tool.name, new Set(names.keys()))
          names.set(wire, tool.name)
          tools[wire] = dynamicTool({
            description: tool.description,
            inputSchema: jsonSchema(tool.inputSchema),
            execute: (input, { abortSignal }) =>
              live.mcpServers.call(serverOf(live.vault, connector), tool, input, abortSignal ?? signal),
          })
        }
      }
      return { tools, nameOf: (wire) => names.get(wire) ?? wire, close: async () => {} }
    },
  }
}
