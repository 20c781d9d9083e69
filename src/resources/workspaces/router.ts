import { dataResponse, listResponse } from '../../api/envelope.ts'
import { get, patch, post } from '../../api/meta.ts'
import { operatorProcedure, router } from '../../api/trpc.ts'
import {
  CreateWorkspaceInput,
  UpdateWorkspaceInput,
  WorkspacePage,
  WorkspacePath,
  WorkspaceQuery,
  WorkspaceResponse,
} from './schema.ts'
import { createWorkspace, getWorkspace, listWorkspaces, updateWorkspace } from './service.ts'

const common = { tag: 'Operator: workspaces', document: 'accounts', extension: true } as const
const ids = { id: 'workspace_not_found' } as const

/** Workspaces, kept by operators (contract: accounts 18). */
export const workspacesRouter = router({
  list: operatorProcedure
    .meta(get('/admin/workspaces', 'List workspaces', common))
    .input(WorkspaceQuery)
    .output(WorkspacePage)
    .query(({ ctx, input }) => listResponse(listWorkspaces(ctx, input))),

  create: operatorProcedure
    .meta(post('/admin/workspaces', 'Create a workspace', { ...common, status: 201 }))
    .input(CreateWorkspaceInput)
    .output(WorkspaceResponse)
    .mutation(({ ctx, input }) => dataResponse(createWorkspace(ctx, input))),

  get: operatorProcedure
    .meta(get('/admin/workspaces/{id}', 'Get a workspace', { ...common, ids }))
    .input(WorkspacePath)
    .output(WorkspaceResponse)
    .query(({ ctx, input }) => dataResponse(getWorkspace(ctx, input))),

  update: operatorProcedure
    .meta(patch('/admin/workspaces/{id}', 'Update a workspace', { ...common, ids, matches: ['admin.workspaces.get'] }))
    .input(UpdateWorkspaceInput)
    .output(WorkspaceResponse)
    .mutation(({ ctx, input }) => dataResponse(updateWorkspace(ctx, input))),
})
