import { Link } from '@tanstack/react-router'
import { useKeyName } from '../../data/key-names.ts'

/** A key by its name, with a link to the keys. One that has no name here, such as a key of the other side, has its id. */
export function KeyLink({ id }: { readonly id: string }) {
  const { name, params } = useKeyName(id)
  if (name === undefined) return <code>{id}</code>
  return (
    <Link to="/$project/$side/keys" params={params} title={id}>
      <bdi>{name}</bdi>
    </Link>
  )
}
