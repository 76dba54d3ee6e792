import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { callConsole } from '../../data/console-api.ts'
import { projectsQuery } from '../../data/keys.ts'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { MENU } from '../menu.ts'
import { screensOfId } from './of-installation.ts'
import { buttonOf, type Found, NAMED, placeOf } from './places.ts'
import { actsOfScreen, pressOnScreen } from './press.ts'
import { recentOf, remember } from './recent.ts'

/** Something that the search offers. */
export interface Entry {
  readonly key: string
  readonly title: string
  /** What it is, in a word. */
  readonly kind: string
  readonly onChoose: () => unknown
}

/** Milliseconds without a key before the server is asked. */
const PAUSE_MS = 150
/** Milliseconds until it is asked again where it had nothing: a request can be found a moment after its answer. */
const AGAIN_MS = 2_000

/** A text, once nobody types. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** What the project has of a text: an id, an address, a number, or words. */
function useFound(text: string) {
  const { project, side } = useProject()
  const q = useSettled(text.trim())
  const found = useQuery({
    queryKey: [project, side, 'search', q],
    queryFn: async ({ signal }) => {
      const path = `/projects/${project}/search?${new URLSearchParams({ environment: side, q })}`
      return (await callConsole<{ data: readonly Found[] }>('GET', path, { signal })).data
    },
    enabled: q !== '',
    refetchInterval: ({ state: { data } }) => (data?.length === 0 ? AGAIN_MS : false),
  })
  return { ...found, isSearching: q !== text.trim() || found.isLoading }
}

const includes = (name: string, text: string) => name.toLowerCase().includes(text.trim().toLowerCase())
const begins = (name: string, text: string) => name.toLowerCase().startsWith(text.trim().toLowerCase())
/** Without words, only what was opened last is offered, what the screen offers, and the first screens. */
const MOST_SCREENS = 12

/** What the screen below the search offers. */
function useActsHere(onDone: () => void): readonly Entry[] {
  // The screen is as it was when the search was opened.
  const [names] = useState(actsOfScreen)
  return names.map((name) => ({
    ...{ key: `here ${name}`, title: name, kind: t('On this screen') },
    onChoose: () => {
      onDone()
      return pressOnScreen(name)
    },
  }))
}

/** Everything that fits what somebody types: what has exactly this id first, then screens and acts, then what has these words. */
export function useEntries(text: string, onDone: () => void) {
  const { project, side } = useProject()
  const { data: found, error, isSearching } = useFound(text)
  const { data: projects } = useQuery(projectsQuery)
  const { canChange, isOwner } = useRights()
  const navigate = useNavigate()
  const { routesByPath } = useRouter() as unknown as { routesByPath: Readonly<Record<string, unknown>> }
  const hasScreen = (path: string) => `/$project/$side/${path}` in routesByPath
  const go = (path: string) => {
    onDone()
    return navigate({ to: `/$project/$side/${path}`, params: { project, side } })
  }
  const isEmpty = text.trim() === ''
  const ofInstallation = screensOfId(text.trim(), projects ?? [], { project, side }).map(
    ({ title, kind, href }) => ({
      ...{ key: href, title, kind: t(kind) },
      onChoose: () => {
        onDone()
        return navigate({ to: href })
      },
    }),
  )
  const things = (found ?? []).flatMap((each) => {
    const { type, id, title, exact } = each
    const path = placeOf(each, hasScreen)
    if (path === undefined) return []
    const name = title?.trim() || id
    const onChoose = () => {
      remember(project, side, { title: name, path, type })
      return go(path)
    }
    return [{ key: path, title: name, kind: nameOfType(type), exact, onChoose }]
  })
  const screens = [{ name: 'Home', path: '' }, ...MENU.flatMap(({ entries }) => [...entries])].map(
    ({ name, path }) => ({
      key: `screen ${path}`,
      title: t(name),
      kind: t('Screen'),
      onChoose: () => go(path),
    }),
  )
  const here = useActsHere(onDone)
  const acts = NAMED.filter(
    (each) =>
      hasScreen(each.path) &&
      (canChange || buttonOf(each) === undefined) &&
      (isOwner || each.ownersOnly !== true),
  ).map((each) => {
    const button = buttonOf(each)
    return {
      ...{
        key: `act ${each.name}`,
        title: t(each.name),
        kind: button === undefined ? t('Screen') : t('Act'),
      },
      onChoose: async () => {
        await go(each.path)
        if (button !== undefined) await pressOnScreen(t(button))
      },
    }
  })
  const sides = (projects ?? []).flatMap(({ id, name }) =>
    (['live', 'test'] as const)
      .filter((each) => id !== project || each !== side)
      .map((each) => ({
        key: `project ${id} ${each}`,
        title: `${name} · ${each === 'live' ? t('Live') : t('Test')}`,
        kind: t('Project'),
        onChoose: () => {
          onDone()
          return navigate({ to: '/$project/$side', params: { project: id, side: each } })
        },
      })),
  )
  const recent = recentOf(project, side).map(({ title, path, type }) => ({
    ...{ key: `recent ${path}`, title, kind: t('Recent · {type}', { type: nameOfType(type) }) },
    onChoose: () => go(path),
  }))
  const named = [...here, ...screens, ...acts, ...sides]
    .filter(({ title }) => includes(title, text))
    .toSorted((a, b) => Number(begins(b.title, text)) - Number(begins(a.title, text)))
  const entries: readonly Entry[] = isEmpty
    ? [...recent, ...here, ...screens.slice(0, MOST_SCREENS)]
    : [
        ...things.filter(({ exact }) => exact),
        ...ofInstallation,
        ...named,
        ...things.filter(({ exact }) => !exact),
      ]
  return { entries, error, isSearching: !isEmpty && isSearching }
}

const nameOfType = (type: string): string => t(type.replaceAll('_', ' '))
