import { router } from './api/trpc.ts'
import { agentsRouter } from './resources/agents/router.ts'
import { assistantsRouter } from './resources/assistants/router.ts'
import { auditRouter } from './resources/audit/router.ts'
import { creditsRouter } from './resources/billing/router.ts'
import { budgetsRouter } from './resources/budgets/router.ts'
import { builderRouter } from './resources/builder/router.ts'
import { callsRouter } from './resources/calls/router.ts'
import { catalogueRouters } from './resources/catalogue/router.ts'
import { chatsRouter } from './resources/chats/router.ts'
import { completionsRouter } from './resources/completions/router.ts'
import { connectorsRouter } from './resources/connectors/router.ts'
import { conversationsRouter } from './resources/conversations/router.ts'
import { deliveriesRouter } from './resources/deliveries/router.ts'
import { driftRouter } from './resources/drift/router.ts'
import { embedRouter } from './resources/embed/router.ts'
import { filesRouter, restFilesRouter } from './resources/files/router.ts'
import { importsRouter } from './resources/imports/router.ts'
import { installationRouter } from './resources/installation/router.ts'
import { memoryRouter } from './resources/memory/router.ts'
import { messagesRouter } from './resources/messages/router.ts'
import { modelsRouter } from './resources/models/router.ts'
import { overviewRouter } from './resources/overview/router.ts'
import { phoneNumbersRouter } from './resources/phone-numbers/router.ts'
import { profileRouter } from './resources/profile/router.ts'
import { resellersRouter } from './resources/resellers/router.ts'
import { sharesRouter } from './resources/shares/router.ts'
import { squadsRouter } from './resources/squads/router.ts'
import { statsRouter } from './resources/stats/router.ts'
import { tokensRouter, userTokensRouter } from './resources/tokens/router.ts'
import { toolsRouter } from './resources/tools/router.ts'
import { usageRouter } from './resources/usage/router.ts'
import { usersRouter } from './resources/users/router.ts'
import { versionsRouter } from './resources/versions/router.ts'
import { widgetRouter } from './resources/widget/router.ts'
import { workspacesRouter } from './resources/workspaces/router.ts'

/** The table of contents: one line per resource. */
const resources = {
  assistants: assistantsRouter,
  assistantTools: toolsRouter,
  assistantVersions: versionsRouter,
  assistantBuilder: builderRouter,
  embed: embedRouter,
  widget: widgetRouter,
  calls: callsRouter,
  stats: statsRouter,
  conversations: conversationsRouter,
  deliveries: deliveriesRouter,
  agents: agentsRouter,
  agentFiles: filesRouter,
  connectors: connectorsRouter,
  agentShares: sharesRouter,
  agentMemory: memoryRouter,
  budgets: budgetsRouter,
  chats: chatsRouter,
  messages: messagesRouter,
  completions: completionsRouter,
  models: modelsRouter,
  phoneNumbers: phoneNumbersRouter,
  squads: squadsRouter,
  drift: driftRouter,
  imports: importsRouter,
  profile: profileRouter,
  overview: overviewRouter,
  tokens: tokensRouter,
  usage: usageRouter,
  admin: router({
    resellers: resellersRouter,
    workspaces: workspacesRouter,
    credits: creditsRouter,
    users: usersRouter,
    tokens: userTokensRouter,
    audit: auditRouter,
    installation: installationRouter,
    ...catalogueRouters,
  }),
}

/** What typed RPC serves. */
export const appRouter = router(resources)

/** What REST serves: also responses of bytes, which typed RPC cannot carry. */
export const restRouter = router({ ...resources, agentFiles: restFilesRouter })

export type AppRouter = typeof appRouter
