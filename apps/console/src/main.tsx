import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './app/query-client.ts'
import { router } from './app/router.tsx'
import { SessionGate } from './app/session.tsx'
import { showTheme } from './data/theme.ts'
import { loadLanguage } from './data/words.ts'
import './ui/tokens/tokens.css'
import './ui/tokens/base.css'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no place for the console')

showTheme()
// The screen of the address comes while the session is asked for, not after it.
router.load().catch(() => undefined)
await loadLanguage()
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <SessionGate>
        <RouterProvider router={router} />
      </SessionGate>
    </QueryClientProvider>
  </StrictMode>,
)
