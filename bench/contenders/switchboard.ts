import { startOwnServer } from './own-server.ts'
import { answerParent } from './parent.ts'

const { url } = await startOwnServer()
answerParent(Number(new URL(url).port))
