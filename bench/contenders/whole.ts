import { startServer } from '../../src/app/server.ts'
import { environment } from '../operations/recording.ts'
import { modelStub } from './model-stub.ts'
import { answerParent, databaseUrl } from './parent.ts'

const server = await startServer(environment(databaseUrl()), { models: [modelStub] })
answerParent(Number(new URL(server.url).port))
