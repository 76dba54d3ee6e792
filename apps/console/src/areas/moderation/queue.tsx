import type { QueuedCase } from '@guildhall/sdk'
import { useRef, useState } from 'react'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Pagination } from '../../ui/pagination/pagination.tsx'
import { Select } from '../../ui/select/select.tsx'
import { SuspendMember } from '../../ui/suspend-member/suspend-member.tsx'
import { CaseView } from './case.tsx'
import { useDecisions } from './decisions.ts'
import { AuthorHistory } from './history.tsx'
import { useQueue } from './queries.ts'
import styles from './queue.module.css'
import { RemoveCases } from './remove.tsx'
import { useCaseKeys } from './use-case-keys.ts'
import { ModerationViews } from './views.tsx'

/** Held and reported posts and appeals, of discussions and of feedback, decided with the keyboard or the mouse. */
export function ModerationQueue() {
  const list = useQueue()
  const { canChange } = useRights()
  const { waiting, sent, failures, decisions } = useDecisions()
  const { data, error, search, change } = list
  const { page = 1, status = 'open', sort = 'age' } = search
  const hidden = new Set([...waiting.flatMap(({ operations }) => operations.map(({ id }) => id)), ...sent])
  const cases = data?.data.filter(({ id }) => !hidden.has(id)) ?? []
  const canDecide = canChange && status !== 'resolved'
  return (
    <Page title={t('Moderation')} views={<ModerationViews />}>
      <search className={styles.tools}>
        <Select
          label={t('Cases')}
          options={[
            { id: 'open', name: t('Waiting') },
            { id: 'appealed', name: t('Appealed') },
            { id: 'resolved', name: t('Decided') },
          ]}
          value={String(status)}
          onChange={(value) => change({ status: value === 'open' ? undefined : value, sort: undefined })}
        />
        {status === 'open' && (
          <Select
            label={t('Order')}
            options={[
              { id: 'age', name: t('Oldest first') },
              { id: 'weight', name: t('Heaviest reports first') },
            ]}
            value={String(sort)}
            onChange={(value) => change({ sort: value === 'age' ? undefined : value })}
          />
        )}
      </search>
      {error && <ErrorNotice error={error} onRetry={list.refetch} />}
      {failures.map((failure) => (
        <ErrorNotice key={failure} error={{ message: failure }} />
      ))}
      <UndoBar waiting={waiting.length > 0} count={hidden.size} onUndo={decisions.undo} />
      {data === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {data !== undefined && cases.length === 0 && (
        <Empty title={t('Nothing waits for you here')}>
          {t('Posts that rules hold, that members report, and appeals of authors appear here.')}
        </Empty>
      )}
      {cases.length > 0 && (
        <Cases
          key={`${status} ${sort} ${page}`}
          cases={cases}
          canDecide={canDecide}
          canChange={canChange}
          onDecide={decisions.decide}
          onUndo={decisions.undo}
        />
      )}
      {data !== undefined && (data.data.length > 0 || page > 1) && (
        <Pagination
          page={page}
          hasNext={data.next_cursor !== null}
          total={data.pagination?.total}
          onPage={(wanted) => change({ page: wanted })}
        />
      )}
    </Page>
  )
}

interface UndoProps {
  readonly waiting: boolean
  readonly count: number
  readonly onUndo: () => void
}

/** Says what was decided, and takes it back while it was not sent. */
function UndoBar({ waiting, count, onUndo }: UndoProps) {
  return (
    <div role="status" className={count > 0 ? styles.undo : undefined}>
      {count > 0 && (
        <>
          <span>
            {waiting ? t('{count} decided, sent in a moment', { count }) : t('{count} decided', { count })}
          </span>
          {waiting && <Button onPress={onUndo}>{t('Undo')}</Button>}
        </>
      )}
    </div>
  )
}

interface CasesProps {
  readonly cases: readonly QueuedCase[]
  readonly canDecide: boolean
  readonly canChange: boolean
  readonly onDecide: ReturnType<typeof useDecisions>['decisions']['decide']
  readonly onUndo: () => void
}

type Open =
  | { readonly dialog: 'remove'; readonly ids: readonly string[] }
  | { readonly dialog: 'suspend'; readonly of: QueuedCase }

function Cases({ cases, canDecide, canChange, onDecide, onUndo }: CasesProps) {
  const frame = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(0)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [open, setOpen] = useState<Open>()
  const [shown, setShown] = useState<string>()
  const current = cases[Math.min(at, cases.length - 1)]
  const present = chosen.filter((id) => cases.some((each) => each.id === id))
  const targets = (of: QueuedCase) => (present.length > 0 ? present : [of.id])
  const focusAt = (index: number) => {
    const wanted = Math.max(0, Math.min(index, cases.length - 1))
    setAt(wanted)
    frame.current?.querySelectorAll<HTMLElement>(':scope > li')[wanted]?.focus()
  }
  const toggle = (id: string) =>
    setChosen(present.includes(id) ? present.filter((each) => each !== id) : [...present, id])
  const decide = (ids: readonly string[], action: 'approve' | 'remove', reason?: string) => {
    onDecide(ids, action, reason)
    setChosen([])
    // The case that takes the place of the decided one is the next one.
    const next = cases.findIndex(({ id }, i) => i >= at && !ids.includes(id))
    const before = cases.slice(0, Math.max(next, 0)).filter(({ id }) => ids.includes(id)).length
    requestAnimationFrame(() => focusAt(next === -1 ? 0 : next - before))
  }
  useCaseKeys(frame, {
    isPaused: open !== undefined,
    act: (key) => {
      if (key === 'j') focusAt(document.activeElement?.closest('li') ? at + 1 : at)
      else if (key === 'k') focusAt(at - 1)
      else if (key === 'u') onUndo()
      else if (current === undefined) return
      else if (key === 'h') setShown(shown === current.id ? undefined : current.id)
      else if (key === 's' && canChange && current.author_id !== null)
        setOpen({ dialog: 'suspend', of: current })
      else if (!canDecide) return
      else if (key === 'x') toggle(current.id)
      else if (key === 'a') decide(targets(current), 'approve')
      else if (key === 'r') setOpen({ dialog: 'remove', ids: targets(current) })
    },
  })
  return (
    <>
      {canDecide && (
        <p className={styles.keys}>
          {t(
            'Keys: j and k go down and up, a approves, r removes, s suspends, h shows the history, x selects, u takes back',
          )}
        </p>
      )}
      {present.length > 0 && (
        <div role="status" className={styles.undo}>
          <span>{t('{count} selected', { count: present.length })}</span>
          <Button onPress={() => decide(present, 'approve')}>{t('Approve all selected')}</Button>
          <Button kind="danger" onPress={() => setOpen({ dialog: 'remove', ids: present })}>
            {t('Remove all selected')}
          </Button>
        </div>
      )}
      <ul ref={frame} className={styles.cases} aria-label={t('Cases')}>
        {cases.map((each, index) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the case with the focus is what keys act on.
          <li key={each.id} tabIndex={0} className={styles.case} onFocus={() => setAt(index)}>
            <CaseView of={each} />
            {shown === each.id && each.author_id !== null && <AuthorHistory authorId={each.author_id} />}
            <div className={styles.acts}>
              {canDecide && (
                <>
                  <Button kind="primary" onPress={() => decide([each.id], 'approve')}>
                    {t('Approve')}
                  </Button>
                  <Button kind="danger" onPress={() => setOpen({ dialog: 'remove', ids: [each.id] })}>
                    {t('Remove')}
                  </Button>
                </>
              )}
              {canChange && each.author_id !== null && (
                <Button onPress={() => setOpen({ dialog: 'suspend', of: each })}>
                  {t('Suspend the author')}
                </Button>
              )}
              {each.author_id !== null && (
                <Button onPress={() => setShown(shown === each.id ? undefined : each.id)}>
                  {t('History of the author')}
                </Button>
              )}
              {canDecide && (
                <label className={styles.choose}>
                  <input
                    type="checkbox"
                    checked={present.includes(each.id)}
                    onChange={() => toggle(each.id)}
                  />
                  {t('Select')}
                </label>
              )}
            </div>
          </li>
        ))}
      </ul>
      {open?.dialog === 'remove' && (
        <RemoveCases
          count={open.ids.length}
          onRemove={(reason) => {
            setOpen(undefined)
            decide(open.ids, 'remove', reason)
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.dialog === 'suspend' && open.of.author_id !== null && (
        <SuspendMember
          id={open.of.author_id}
          name={open.of.author?.display_name ?? open.of.author_id}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
