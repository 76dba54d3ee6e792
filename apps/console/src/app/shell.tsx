import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type Environment, logOut, type Project } from '../data/console-api.ts'
import { forgetDrafts } from '../data/drafts.ts'
import { meQuery, projectsQuery } from '../data/keys.ts'
import { forgetTokens } from '../data/project-client.ts'
import { forgetCalls } from '../data/recorded-calls.ts'
import { t, wordOf } from '../data/words.ts'
import { Button } from '../ui/button/button.tsx'
import { ErrorNotice } from '../ui/notice/notice.tsx'
import { Select } from '../ui/select/select.tsx'
import { doPending } from '../ui/undo-toast/undo.ts'
import { UndoToasts } from '../ui/undo-toast/undo-toasts.tsx'
import { MENU } from './menu.ts'
import { OpenPalette } from './palette/open-palette.tsx'
import styles from './shell.module.css'

/** What is around every screen of a project: the project, its side, the menu, and who is logged in. */
export function Shell() {
  const { project, side } = useParams({ from: '/$project/$side' })
  const { data: projects, error } = useQuery(projectsQuery)
  const [isMenuShown, setMenuShown] = useState(false)
  const menu = usePresentEntry()
  // A list that cannot be read again takes no screen away, nor what was typed in it.
  if (error && projects === undefined) return <ErrorNotice error={error} />
  const row = projects?.find(({ id }) => id === project)
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#screen">
        {t('Skip to the screen')}
      </a>
      <header className={styles.top}>
        <Button kind="quiet" label={t('Menu')} onPress={() => setMenuShown(!isMenuShown)}>
          ☰
        </Button>
        <Switcher projects={projects ?? []} project={project} side={side as Environment} />
        <OpenPalette />
        <div className={styles.wide}>
          <Operator />
        </div>
      </header>
      <nav ref={menu} className={styles.menu} data-shown={isMenuShown} aria-label={t('Screens')}>
        <div className={styles.small}>
          <Operator />
        </div>
        <Link
          to="/$project/$side"
          params={{ project, side }}
          className={styles.entry ?? ''}
          activeOptions={{ exact: true, includeSearch: false }}
          onClick={() => setMenuShown(false)}
        >
          {t('Home')}
        </Link>
        {MENU.map(({ group, entries }) => (
          <div key={group}>
            <p className={styles.group}>{t(group)}</p>
            <ul>
              {entries.map(({ name, path }) => (
                <li key={path}>
                  <Link
                    to={`/$project/$side/${path}`}
                    params={{ project, side }}
                    className={styles.entry ?? ''}
                    onClick={() => setMenuShown(false)}
                  >
                    {t(name)}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <main id="screen" tabIndex={-1} className={styles.screen}>
        <AtRest state={row?.state} />
        {projects && <RoleChange key={project} role={row?.role} />}
        <Outlet key={`${project} ${side}`} />
      </main>
      <UndoToasts />
    </div>
  )
}

/** The menu is longer than many a window: the entry of the present screen is brought into view, whatever led there. */
function usePresentEntry() {
  const menu = useRef<HTMLElement>(null)
  const router = useRouter()
  useEffect(() => {
    const show = () => {
      const { current } = menu
      const entry = current?.querySelector<HTMLElement>('[aria-current=page]')
      if (!current || !entry) return
      const top = entry.offsetTop - current.scrollTop
      if (top >= 0 && top + entry.offsetHeight <= current.clientHeight) return
      // Not scrollIntoView, which would move the screen as well.
      current.scrollTop = entry.offsetTop - current.clientHeight / 2
    }
    show()
    // Only then has the router put everything that is scrolled, the menu too, back to where it was.
    return router.subscribe('onRendered', show)
  }, [router])
  return menu
}

const REST_TEXTS = {
  suspended: () =>
    t('This project is suspended: its keys and pages answer with an error until it is resumed.'),
  deleted: () =>
    t('This project is deleted: it can be restored in the danger zone until its data is removed.'),
  moved: () =>
    t(
      'This project lives in another installation: open the console there. What is shown here is an old copy.',
    ),
} as const

/** Says on every screen that the project rests. */
function AtRest({ state }: { readonly state: Project['state'] | undefined }) {
  if (state === undefined || state === 'active') return null
  return (
    <p role="alert" className={styles.rest}>
      {REST_TEXTS[state]()}
    </p>
  )
}

/** Says why a screen, or what was open over it, has lost its buttons. @param role undefined: the operator does not see the project */
function RoleChange({ role }: { readonly role: Project['role'] | undefined }) {
  const [first, setFirst] = useState(role)
  // A project that was just made is in the list a moment later.
  if (first === undefined && role !== undefined) setFirst(role)
  if (first === undefined || role === first) return null
  return (
    <p role="alert" className={styles.rest}>
      {role
        ? t('Your role in this project has changed. It is now: {role}', { role: wordOf(role) })
        : t('You no longer have a role in this project.')}
    </p>
  )
}

interface SwitcherProps {
  readonly projects: readonly Project[]
  readonly project: string
  readonly side: Environment
}

/** Which project and which side of it: the live side is always to be seen. */
function Switcher({ projects, project, side }: SwitcherProps) {
  const navigate = useNavigate()
  const go = (to: { project: string; side: Environment }) => navigate({ to: '/$project/$side', params: to })
  return (
    <div className={styles.switcher}>
      <Select
        label={t('Project')}
        options={projects.map(({ id, name }) => ({ id, name }))}
        value={project}
        onChange={(id) => go({ project: id, side })}
      />
      <fieldset className={styles.sides} aria-label={t('Side of the project')}>
        {(['live', 'test'] as const).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === side}
            className={`${styles.side} ${each === 'live' ? styles.live : ''}`}
            onClick={() => go({ project, side: each })}
          >
            {each === 'live' ? t('Live') : t('Test')}
          </button>
        ))}
      </fieldset>
    </div>
  )
}

function Operator() {
  const { data: me } = useQuery(meQuery)
  const queries = useQueryClient()
  const end = async () => {
    await doPending()
    await logOut()
    forgetTokens()
    forgetDrafts()
    forgetCalls()
    queries.clear()
    location.assign('/console')
  }
  return (
    <div className={styles.operator}>
      <Link to="/projects" className={styles.who ?? ''}>
        {t('Projects')}
      </Link>
      <Link to="/account" className={styles.who ?? ''}>
        {me?.full_name || me?.email || t('Your account')}
      </Link>
      <Button onPress={end}>{t('Log out')}</Button>
    </div>
  )
}
