import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { callConsole, logOut } from '../data/console-api.ts'
import { meQuery } from '../data/keys.ts'
import { t } from '../data/words.ts'
import { Button } from '../ui/button/button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'

const MINUTE_MS = 60_000
/** What somebody does by hand. */
const WORK = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const
/** Other tabs are told by it that somebody works. */
const STORED = 'console-active-at'

const tell = (at: number): void => {
  try {
    localStorage.setItem(STORED, String(at))
  } catch {
    // A browser that stores nothing has tabs that do not know of each other.
  }
}

interface Props {
  /** The session has ended. */
  readonly onIdle: () => void
}

/**
 * Logs the operator out after the minutes that the project or the installation wants, and warns a minute before. The API does it
 * too: it is told of work once a minute, and what a page asks by itself is no work.
 */
export function IdleWatch({ onIdle }: Props) {
  const { data: me } = useQuery(meQuery)
  const minutes = me?.idle_minutes ?? null
  const [isWarning, setWarning] = useState(false)
  const activeAt = useRef(Date.now())
  const toldAt = useRef(0)
  const work = useCallback(() => {
    const now = Date.now()
    activeAt.current = now
    setWarning(false)
    if (now - toldAt.current < MINUTE_MS) return
    toldAt.current = now
    tell(now)
    callConsole('POST', '/activity', { body: {} }).catch(() => undefined)
  }, [])
  useEffect(() => {
    if (minutes === null) return
    const begin = () => {
      // While the warning is there, only its button is an answer.
      if (Date.now() - activeAt.current < (minutes - 1) * MINUTE_MS) work()
    }
    const hear = ({ key, newValue }: StorageEvent) => {
      if (key !== STORED || newValue === null) return
      activeAt.current = Math.max(activeAt.current, Number(newValue))
      toldAt.current = activeAt.current
    }
    const look = () => {
      const idle = Date.now() - activeAt.current
      setWarning(idle >= (minutes - 1) * MINUTE_MS)
      if (idle < minutes * MINUTE_MS) return
      activeAt.current = Date.now()
      setWarning(false)
      logOut().then(onIdle, onIdle)
    }
    for (const name of WORK) addEventListener(name, begin, { passive: true, capture: true })
    addEventListener('storage', hear)
    const timer = setInterval(look, 1_000)
    return () => {
      for (const name of WORK) removeEventListener(name, begin, { capture: true })
      removeEventListener('storage', hear)
      clearInterval(timer)
    }
  }, [minutes, work, onIdle])
  if (!isWarning) return null
  return (
    <Dialog title={t('Are you still there?')} isOpen>
      <p>{t('You are logged out in less than a minute, because nothing was done for a while.')}</p>
      <div>
        <Button
          kind="primary"
          onPress={() => {
            toldAt.current = 0
            work()
          }}
        >
          {t('Stay logged in')}
        </Button>
      </div>
    </Dialog>
  )
}
