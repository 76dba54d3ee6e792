import { Link } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { usePlanChoices } from '../../data/plan-names.ts'

/** A plan by its name, with a link to it. */
export function PlanLink({ id }: { readonly id: string }) {
  const { project, side } = useProject()
  const { nameOf } = usePlanChoices()
  return (
    <Link to="/$project/$side/plans/$id" params={{ project, side, id }}>
      <bdi>{nameOf(id)}</bdi>
    </Link>
  )
}
