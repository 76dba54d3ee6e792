import type { Project } from '../../data/console-api.ts'

// What belongs to the installation, and to no side of a project: the search of a project does not know it.

const ID = /^([a-z]+)_[0-9a-z]{26}$/
const DANGER = { path: 'settings/danger', name: 'Danger zone' }
/** Screens of a project by the prefix of an id that they show. */
const SCREENS: Readonly<Record<string, { readonly path: string; readonly name: string }>> = {
  op: { path: 'team', name: 'Team' },
  pexp: DANGER,
  pmov: DANGER,
}

interface FoundScreen {
  readonly title: string
  /** The English word for what it is. */
  readonly kind: string
  /** Below `/console`. */
  readonly href: string
}

/** Where the id of a project, of an operator, or of an export, import or move of a project leads. */
export function screensOfId(
  text: string,
  projects: readonly Project[],
  place: { readonly project: string; readonly side: string },
): readonly FoundScreen[] {
  const [, prefix = ''] = ID.exec(text) ?? []
  if (prefix === 'proj')
    return projects
      .filter(({ id }) => id === text)
      .map(({ id, name }) => ({ title: name, kind: 'Project', href: `/${id}/${place.side}` }))
  if (prefix === 'pimp') return [{ title: text, kind: 'Projects', href: '/projects' }]
  const screen = SCREENS[prefix]
  if (screen === undefined) return []
  return [{ title: text, kind: screen.name, href: `/${place.project}/${place.side}/${screen.path}` }]
}
