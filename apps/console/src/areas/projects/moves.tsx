import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/console-api.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import { bytesInWords } from '../../ui/bytes/bytes.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Select } from '../../ui/select/select.tsx'
import { Time } from '../../ui/time/time.tsx'

/** GET /console/api/projects/{id}/moves */
interface ProjectMove {
  readonly id: string
  readonly to: string
  readonly dry_run: boolean
  readonly state: 'queued' | 'running' | 'done' | 'failed'
  readonly asked_at: string
  readonly error: string | null
  readonly plan: {
    readonly faults: readonly string[]
    readonly warnings: readonly string[]
    readonly files: number
    readonly bytes: number
  } | null
  readonly report: { readonly rows: number; readonly hold_ms: number } | null
}
/** GET /console/api/cells */
interface Cell {
  readonly name: string
  readonly is_ready: boolean
}

/** While one is under way, the list is read again so often. */
const POLL_MS = 2_000

/** Moves of the project to other installations, which administrators ask for. */
export function ProjectMoves({ name }: { readonly name: string }) {
  const { project } = useProject()
  const queries = useQueryClient()
  const [asking, setAsking] = useState<'plan' | 'move'>()
  const [chosen, setChosen] = useState<string>()
  const cells = useOfInstallation<readonly Cell[]>('cells')
  const moves = useQuery({
    queryKey: [project, 'moves'],
    queryFn: async ({ signal }) =>
      (await callConsole<{ data: readonly ProjectMove[] }>('GET', `/projects/${project}/moves`, { signal }))
        .data,
    refetchInterval: ({ state }) =>
      state.data?.some((each) => each.state === 'queued' || each.state === 'running') ? POLL_MS : false,
  })
  const to = chosen ?? cells.data?.find(({ is_ready }) => is_ready)?.name ?? cells.data?.[0]?.name
  const error = cells.error ?? moves.error
  return (
    <>
      <p>{t('Another installation takes over the project while it is used. Keys and sessions go on.')}</p>
      {error && <ErrorNotice error={error} onRetry={() => Promise.all([cells.refetch(), moves.refetch()])} />}
      {to === undefined || cells.data === undefined ? (
        <p>{t('No other installation is known. Add one with: guildhall cell add')}</p>
      ) : (
        <>
          <Select
            label={t('Other installation')}
            isLabelShown
            options={cells.data.map((cell) => ({
              id: cell.name,
              name: cell.is_ready ? cell.name : t('{name} (no worker can reach it)', { name: cell.name }),
            }))}
            value={to}
            onChange={setChosen}
          />
          <Buttons>
            <Button onPress={() => setAsking('plan')}>{t('Check the move')}</Button>
            <Button kind="danger" onPress={() => setAsking('move')}>
              {t('Move the project')}
            </Button>
          </Buttons>
        </>
      )}
      {moves.data !== undefined && moves.data.length > 0 && <MoveTable moves={moves.data} />}
      {asking !== undefined && to !== undefined && (
        <Confirm
          title={asking === 'plan' ? t('Check the move') : t('Move {name}?', { name })}
          verb={asking === 'plan' ? t('Check') : t('Move the project')}
          {...(asking === 'move' ? { risk: { name } } : { isDanger: false })}
          act={() =>
            callConsole('POST', `/projects/${project}/move`, { body: { to, dry_run: asking === 'plan' } })
          }
          onDone={() => queries.invalidateQueries({ queryKey: [project, 'moves'] })}
          onClose={() => setAsking(undefined)}
        >
          <p>
            {asking === 'plan'
              ? t('A worker says what stands in the way and how much there is to copy. Nothing is changed.')
              : t('Writes wait for some seconds. The copy here is kept for a day. Check the move first.')}
          </p>
        </Confirm>
      )}
    </>
  )
}

/** Something of the whole installation, from the console's API. */
const useOfInstallation = <T,>(path: string) =>
  useQuery({
    queryKey: [path],
    queryFn: async ({ signal }) => (await callConsole<{ data: T }>('GET', `/${path}`, { signal })).data,
  })

function MoveTable({ moves }: { readonly moves: readonly ProjectMove[] }) {
  return (
    <DataTable
      label={t('Moves of the project')}
      rows={moves}
      keyOf={({ id }) => id}
      columns={[
        { title: t('Time'), cell: ({ asked_at }) => <Time at={asked_at} /> },
        { title: t('Kind'), cell: ({ dry_run }) => (dry_run ? t('Check the move') : t('Move the project')) },
        { title: t('To'), cell: ({ to }) => to },
        { title: t('Status'), cell: ({ state, error }) => error ?? <Badge state={state} /> },
        { title: t('Result'), cell: resultOf },
      ]}
    />
  )
}

function resultOf({ plan, report }: ProjectMove): string {
  if (report !== null)
    return t('{rows} {rows:row|rows}; writes waited for {seconds} s', {
      rows: report.rows,
      seconds: Math.round(report.hold_ms / 100) / 10,
    })
  if (plan === null) return ''
  const lines = [...plan.faults, ...plan.warnings]
  const size = t('{size} of files to copy', { size: bytesInWords(plan.bytes) })
  return [plan.faults.length === 0 ? t('Ready') : t('Not ready'), size, ...lines].join('. ')
}
