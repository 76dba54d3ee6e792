import { Link, useLocation, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import styles from './views.module.css'

interface Props {
  /** What the views are of, for who cannot see it. */
  readonly label: string
  /** Paths below a side of a project, with what they are called. */
  readonly views: readonly { readonly path: string; readonly name: string }[]
}

/** Leads between screens that belong together. */
export function Views({ label, views }: Props) {
  const { project = '', side = '' } = useParams({ strict: false })
  const { pathname } = useLocation()
  const list = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another present view.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  return (
    <nav ref={list} aria-label={label} className={styles.views}>
      {views.map(({ path, name }) => (
        <Link
          key={path}
          to={`/$project/$side/${path}` as '/$project/$side/members'}
          params={{ project, side }}
          activeOptions={{ exact: true, includeSearch: false }}
          className={styles.view ?? ''}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
