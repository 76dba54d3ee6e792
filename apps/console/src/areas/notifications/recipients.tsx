import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { SearchField } from '../../ui/search-field/search-field.tsx'
import styles from './write.module.css'

/** A member who was chosen. */
export interface Chosen {
  readonly id: string
  readonly name: string
}

interface Props {
  readonly chosen: readonly Chosen[]
  readonly onChange: (chosen: readonly Chosen[]) => void
  /** Why the server refused the choice. */
  readonly error?: string | undefined
}

/** Chooses members by a search. */
export function Recipients({ chosen, onChange, error }: Props) {
  const { project, side, client } = useProject()
  const [search, setSearch] = useState('')
  const { data: found } = useQuery({
    queryKey: [project, side, 'members', 'found', search],
    queryFn: async ({ signal }) =>
      (await client.members.list({ search, status: 'active', limit: 8 }, { signal })).data,
    enabled: search.trim() !== '',
  })
  const offered =
    search.trim() === '' ? [] : (found ?? []).filter(({ id }) => !chosen.some((each) => each.id === id))
  return (
    <fieldset className={styles.recipients}>
      <legend>{t('Members')}</legend>
      <SearchField label={t('Search members')} value={search} onSearch={setSearch} />
      <ul className={styles.members} aria-label={t('Found')}>
        {offered.map(({ id, email, full_name }) => (
          <li key={id}>
            <Button
              label={t('Add {name}', { name: full_name || email })}
              onPress={() => onChange([...chosen, { id, name: full_name || email }])}
            >
              + <bdi>{full_name || email}</bdi>
            </Button>
          </li>
        ))}
      </ul>
      <ul className={styles.members} aria-label={t('Chosen')}>
        {chosen.map(({ id, name }) => (
          <li key={id}>
            <Button
              kind="quiet"
              label={t('Take {name} out', { name })}
              onPress={() => onChange(chosen.filter((each) => each.id !== id))}
            >
              <bdi>{name}</bdi> ✕
            </Button>
          </li>
        ))}
      </ul>
      {error !== undefined && <p role="alert">{error}</p>}
    </fieldset>
  )
}
