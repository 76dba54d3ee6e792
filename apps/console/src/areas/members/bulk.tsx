import type { BulkOperation, ListedMember, MemberStatus } from '@guildhall/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { BulkDialog } from '../../ui/bulk/bulk-dialog.tsx'
import { Button } from '../../ui/button/button.tsx'
import type { Selection } from '../../ui/data-table/use-selection.ts'
import { PlanSelect } from '../../ui/plan-select/plan-select.tsx'
import { Select } from '../../ui/select/select.tsx'

type Act = 'status' | 'plan' | 'delete'
const STATES: readonly MemberStatus[] = ['active', 'inactive', 'pending']

/** What can be done with many members at once. Each act says first how many it changes. */
export function BulkMembers({ selection }: { readonly selection: Selection<ListedMember> }) {
  const [act, setAct] = useState<Act>()
  return (
    <>
      <Button onPress={() => setAct('status')}>{t('Change status')}</Button>
      <Button onPress={() => setAct('plan')}>{t('Change plan')}</Button>
      <Button kind="danger" onPress={() => setAct('delete')}>
        {t('Delete')}
      </Button>
      {act && <BulkAct act={act} selection={selection} onClose={() => setAct(undefined)} />}
    </>
  )
}

interface ActProps {
  readonly act: Act
  readonly selection: Selection<ListedMember>
  readonly onClose: () => void
}

function BulkAct({ act, selection, onClose }: ActProps) {
  // What was chosen when the question was asked; those that fail stay chosen.
  const [ids] = useState(() => [...selection.chosen])
  const [value, setValue] = useState(act === 'status' ? 'inactive' : '')
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const members = useMembersNow(ids)
  const operationOf = (id: string): BulkOperation => {
    if (act === 'delete') return { action: 'delete', id, mode: 'soft' }
    const changes = act === 'status' ? { status: value as MemberStatus } : { plan_id: value || null }
    return { action: 'update', id, changes }
  }
  const differs = (member: ListedMember) =>
    act === 'delete' || (act === 'status' ? member.status !== value : (member.plan_id ?? '') !== value)
  const changed = members.data?.filter(differs).map(({ id }) => id)
  const titles = { status: t('Change status'), plan: t('Change plan'), delete: t('Delete members') }
  return (
    <BulkDialog
      title={titles[act]}
      verb={act === 'delete' ? t('Delete') : t('Change')}
      isDanger={act === 'delete'}
      ids={changed ?? ids}
      send={(some) => client.members.changeInBulk({ operations: some.map(operationOf) })}
      onDone={async (failed) => {
        selection.clear()
        selection.choose(failed, true)
        await queries.invalidateQueries({ queryKey: [project, side, 'members'] })
      }}
      onClose={onClose}
    >
      {act === 'status' && (
        <Select
          label={t('Status')}
          isLabelShown
          options={STATES.map((id) => ({ id, name: t(id) }))}
          value={value}
          onChange={setValue}
        />
      )}
      {act === 'plan' && (
        <PlanSelect
          label={t('Plan')}
          value={value}
          onChange={(plan) => setValue(String(plan))}
          description={t('It is assigned without a payment.')}
          error={undefined}
        />
      )}
      <p role="status">
        {changed === undefined
          ? t('Loading …')
          : act === 'delete'
            ? t(
                '{count} {count:member is deleted. It|members are deleted. They} can be restored for 30 days; all log-ins end at once.',
                {
                  count: changed.length,
                },
              )
            : t('{count} {count:member changes|members change}; {rest} {rest:has|have} this value already.', {
                count: changed.length,
                rest: ids.length - changed.length,
              })}
      </p>
    </BulkDialog>
  )
}

/** The most ids that the API takes at once. */
const MOST_IDS = 100

/** The chosen members as they are now, also those of other pages. */
function useMembersNow(ids: readonly string[]) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'members', 'now', ids],
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, i) =>
        ids.slice(i * MOST_IDS, (i + 1) * MOST_IDS),
      )
      const pages = await Promise.all(
        parts.map((part) => client.members.list({ ids: part.join(','), limit: MOST_IDS }, { signal })),
      )
      return pages.flatMap(({ data }) => data)
    },
    staleTime: 0,
  })
}
