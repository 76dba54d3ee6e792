import type { ProtectionRuleInFull } from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Effect } from './effect.tsx'

interface Props {
  readonly rule: ProtectionRuleInFull
  readonly onClose: () => void
}

/** Deletes a rule, and says before who then sees its pages. */
export function DeleteRule({ rule: { id, url_pattern, is_active }, onClose }: Props) {
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
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.memberContent.delete(id),
    onSuccess: async () => {
      onClose()
      await navigate({ to: '/$project/$side/page-rules', params: { project, side } })
      await queries.invalidateQueries({ queryKey: [project, side, 'page-rules'] })
    },
  })
  return (
    <FormDialog
      title={t('Delete the rule “{name}”?', { name: url_pattern })}
      verb={t('Delete')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>{t('Its pages are then open to everybody, unless another rule protects them.')}</p>
      {effect && <Effect simulation={effect} />}
    </FormDialog>
  )
}
