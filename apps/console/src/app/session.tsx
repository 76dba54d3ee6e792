import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { type Environment, resumeSession, whenLogInIsWanted, whenSessionEnds } from '../data/console-api.ts'
import { meQuery, projectsQuery } from '../data/keys.ts'
import { prefetchToken } from '../data/project-client.ts'
import { comesFromProvider, goesBackToDevice } from '../data/way-back.ts'
import { t } from '../data/words.ts'
import { ErrorNotice } from '../ui/notice/notice.tsx'
import { queryClient } from './query-client.ts'
import styles from './session.module.css'

// Most who open the console are logged in.
const Entry = lazy(() => import('./entry/entry.tsx').then(({ Entry: component }) => ({ default: component })))
const LogInAgain = lazy(() =>
  import('./log-in-again.tsx').then(({ LogInAgain: component }) => ({ default: component })),
)
const ProveAgain = lazy(() =>
  import('./prove-again.tsx').then(({ ProveAgain: component }) => ({ default: component })),
)

const IdleWatch = lazy(() =>
  import('./idle.tsx').then(({ IdleWatch: component }) => ({ default: component })),
)

/** Asked for before anything is shown: it takes a round trip, in which the screen of the address is loaded. */
let first: Promise<boolean> | undefined = resumeSession()
first.then(
  (is) => (is ? prefetch() : undefined),
  () => undefined,
)

/** What every screen asks for is asked for while the screen of the address is loaded and made. */
async function prefetch(): Promise<void> {
  const [, project, side] = /^\/console\/(proj_\w+)\/(live|test)(?:\/|$)/.exec(location.pathname) ?? []
  await Promise.all([
    queryClient.prefetchQuery(meQuery),
    queryClient.prefetchQuery(projectsQuery),
    project !== undefined && prefetchToken(project, side as Environment),
  ])
}

type State = 'unknown' | 'in' | 'out' | 'ended' | 'idle' | Error

/**
 * Shows the console to an operator who is logged in. Where a session ends while somebody works, the log-in opens over the
 * screen, which keeps what was typed.
 */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<State>('unknown')
  const [wanted, setWanted] = useState<{ readonly answer: (isIn: boolean) => void }>()
  const queries = useQueryClient()
  const begin = useCallback(() => {
    // What the provider said is about a log-in that is newer than the session.
    if (comesFromProvider()) return setState('out')
    setState('unknown')
    const asked = first ?? resumeSession()
    first = undefined
    asked.then(
      (is) => (is && goesBackToDevice()) || setState(is ? 'in' : 'out'),
      (error: Error) => setState(error),
    )
  }, [])
  useEffect(() => {
    // Where nobody is logged in yet, a wrong password ends nothing.
    whenSessionEnds(() => setState((present) => (present === 'in' ? 'ended' : present)))
    whenLogInIsWanted(() => new Promise((answer) => setWanted({ answer })))
    begin()
  }, [begin])
  const onIdle = useCallback(() => setState('idle'), [])
  const enter = async () => {
    if (goesBackToDevice()) return
    setState('in')
    await queries.invalidateQueries()
  }
  const answerWanted = (isIn: boolean) => {
    wanted?.answer(isIn)
    setWanted(undefined)
  }
  if (state === 'unknown') return <p className={styles.wait}>{t('Loading …')}</p>
  if (state instanceof Error)
    return (
      <main className={styles.alone}>
        <ErrorNotice error={state} onRetry={begin} />
      </main>
    )
  if (state === 'out')
    return (
      <main className={styles.alone}>
        <Suspense>
          <Entry onDone={enter} />
        </Suspense>
      </main>
    )
  return (
    <>
      {/* Nobody reads over the log-in what was on the screen; what was typed is kept. */}
      <div hidden={state === 'idle'}>{children}</div>
      <Suspense>
        {state === 'in' && <IdleWatch onIdle={onIdle} />}
        {(state === 'ended' || state === 'idle') && <LogInAgain onDone={enter} />}
        {state === 'in' && wanted && (
          <ProveAgain onDone={() => answerWanted(true)} onClose={() => answerWanted(false)} />
        )}
      </Suspense>
    </>
  )
}
