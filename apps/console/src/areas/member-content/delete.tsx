import type { ProtectionRuleInFull } from '@guildhall/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { t } from '../../data/words.ts'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { Effect } from './effect.tsx'

interface Props {
  readonly read: Read<ProtectionRuleInFull>
  readonly onClose: () => void
}

/** Deletes a rule, and says before who then sees its pages. */
export function DeleteRule({ read: { value, etag }, onClose }: Props) {
  const { id, url_pattern, is_active } = value
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data: effect } = useQuery({
    queryKey: [project, side, 'page-rules', id, 'without'],
    // Without the rule is as with an inactive one.
    queryFn: ({ signal }) => client.memberContent.simulate({ rule_id: id, is_active: false }, { signal }),
    enabled: is_active,
    gcTime: 0,
  })
  return (
    <Confirm
      title={t('Delete the rule “{name}”?', { name: url_pattern })}
      verb={t('Delete')}
      act={() => client.memberContent.delete(id, { ifMatch: etag })}
      onDone={async () => {
        await navigate({ to: '/$project/$side/page-rules', params: { project, side } })
        await queries.invalidateQueries({ queryKey: [project, side, 'page-rules'] })
      }}
      onClose={onClose}
    >
      <p>{t('Its pages are then open to everybody, unless another rule protects them.')}</p>
      {effect && <Effect simulation={effect} />}
    </Confirm>
  )
}
