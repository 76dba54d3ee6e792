import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { useMemberName } from '../../data/member-names.ts'
import { t } from '../../data/words.ts'
import { SearchField } from '../search-field/search-field.tsx'
import { Select } from '../select/select.tsx'

interface Props {
  readonly label: string
  /** The id of a member, or nothing. */
  readonly value: string
  readonly onChange: (id: string) => void
  readonly description?: string | undefined
  readonly error?: string | undefined
}

const MOST = 20

/** Chooses a member, who is found by name or address. */
export function MemberSelect({ label, value, onChange, description, error }: Props) {
  const { project, side, client } = useProject()
  const [search, setSearch] = useState('')
  const { data: found = [] } = useQuery({
    queryKey: [project, side, 'members', 'found', search],
    queryFn: async ({ signal }) =>
      (await client.members.list({ ...(search !== '' && { search }), limit: MOST }, { signal })).data,
    placeholderData: (before) => before,
  })
  const isFound = found.some(({ id }) => id === value)
  return (
    <>
      <SearchField label={t('Search members')} value={search} onSearch={(text) => setSearch(text ?? '')} />
      <Select
        label={label}
        isLabelShown
        description={description}
        options={[
          ...(value === ''
            ? [{ id: '', name: found.length === 0 ? t('Nobody is found') : t('Choose a member') }]
            : []),
          ...found.map(({ id, full_name, email }) => ({
            id,
            name: full_name === '' ? email : `${full_name} (${email})`,
          })),
          // Who was chosen stays chosen while another name is searched.
          ...(value === '' || isFound ? [] : [{ id: value, name: value }]),
        ]}
        value={value}
        onChange={onChange}
        error={error}
      />
      {value !== '' && !isFound && <Chosen id={value} />}
    </>
  )
}

/** Who is chosen, where the search finds others. */
function Chosen({ id }: { readonly id: string }) {
  const { name } = useMemberName(id)
  return <p role="status">{t('Chosen: {name}', { name: name ?? id })}</p>
}
