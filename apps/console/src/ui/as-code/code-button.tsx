import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState, useSyncExternalStore } from 'react'
import {
  callsOf,
  callsVersion,
  isOfConsole,
  lastActs,
  type RecordedCall,
  whenCallsChange,
} from '../../data/recorded-calls.ts'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'

const AsCode = lazy(() => import('./as-code.tsx').then(({ AsCode: component }) => ({ default: component })))

interface ScreenProps {
  /** What stands first: the key of a list. */
  readonly first?: string | undefined
  /** What a form of the screen sends. */
  readonly sends?: RecordedCall | undefined
}

/** Shows what the present screen asks the API for, and what was done last. */
export function ScreenCodeButton({ first, sends }: ScreenProps) {
  const reads = useCallsOfScreen(first)
  const own = reads.filter((call) => !isEverywhere(call))
  const calls = sends === undefined ? own : [sends, ...own]
  return <CodeButton calls={calls.length > 0 ? calls : reads} acts={lastActs()} />
}

/** What every screen asks for is told by those screens alone that ask for nothing else. */
const EVERYWHERE = /^GET \/(?:me$|projects\?)/
const isEverywhere = (call: RecordedCall) =>
  isOfConsole(call) && EVERYWHERE.test(`${call.method} ${call.path}`)

/** The calls of what is shown now: also of what was read before, on another screen. */
function useCallsOfScreen(first: string | undefined): readonly RecordedCall[] {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback(
    (call: () => void) => {
      const ends = [cache.subscribe(notifyManager.batchCalls(call)), whenCallsChange(call)]
      return () => {
        for (const end of ends) end()
      }
    },
    [cache],
  )
  const shown = () => cache.findAll({ type: 'active' }).map(({ queryHash }) => queryHash)
  useSyncExternalStore(subscribe, () => `${callsVersion()} ${shown().join('\n')}`)
  const calls = [
    ...new Map(
      shown()
        .flatMap(callsOf)
        .map((call) => [JSON.stringify(call), call]),
    ).values(),
  ]
  const rankOf = (call: RecordedCall) =>
    first !== undefined && callsOf(first).includes(call) ? 0 : namesThing(call) ? 1 : 2
  return calls.toSorted((a, b) => rankOf(a) - rankOf(b))
}

const ID = /^[a-z]+_[\w-]{16,}$/

/** Whether a call is about what the address of the screen names. */
function namesThing(call: RecordedCall): boolean {
  const thing = location.pathname
    .split('/')
    .slice(4)
    .findLast((step) => ID.test(step))
  return thing !== undefined && JSON.stringify(call).includes(thing)
}

interface Props {
  readonly calls: readonly RecordedCall[]
  readonly acts?: readonly RecordedCall[]
}

/** Shows calls as code; nothing where there is none. */
export function CodeButton({ calls, acts = [] }: Props) {
  const [isOpen, setOpen] = useState(false)
  if (calls.length + acts.length === 0) return null
  return (
    <>
      <Button kind="quiet" label={t('Show as code')} onPress={() => setOpen(true)}>
        {'</>'}
      </Button>
      <Suspense>{isOpen && <AsCode calls={calls} acts={acts} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
