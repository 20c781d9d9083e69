import './styles.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/client.ts'
import { reach } from './api/reach.ts'
import { loadFont } from './font.ts'
import { tellAway } from './parts/saved.ts'
import { router } from './routes.tsx'
import { SessionGate } from './session/gate.tsx'
import { theme, variables } from './theme.ts'

loadFont()
reach.subscribe(() => tellAway(reach.snapshot()))
const container = document.getElementById('root')
if (container) {
  createRoot(container).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
        <Notifications position="top-center" limit={4} className="notices" />
        <QueryClientProvider client={queryClient}>
          <SessionGate>
            <RouterProvider router={router} />
          </SessionGate>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
