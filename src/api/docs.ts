import type { AnyRouter } from '@trpc/server'
import type { Dependencies } from '../dependencies.ts'
import type { Handler } from './rest.ts'

export function docsRoutes(_router: AnyRouter, _dependencies: Dependencies): [path: string, handler: Handler][] {
  return []
}
