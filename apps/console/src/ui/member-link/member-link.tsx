import { Link } from '@tanstack/react-router'
import { useMemberName } from '../../data/member-names.ts'
import { t } from '../../data/words.ts'

/** A member by name or address, with a link to it. */
export function MemberLink({ id }: { readonly id: string }) {
  const { name, params } = useMemberName(id)
  if (name === undefined) return <span aria-busy="true">…</span>
  if (name === null) return <span title={id}>{t('Deleted member')}</span>
  return (
    <Link to="/$project/$side/members/$id" params={{ ...params, id }}>
      <bdi>{name}</bdi>
    </Link>
  )
}

/** The same as a text, where it stands in a link of its own. */
export function MemberName({ id }: { readonly id: string }) {
  const { name } = useMemberName(id)
  return name === null ? t('Deleted member') : <bdi>{name ?? '…'}</bdi>
}
