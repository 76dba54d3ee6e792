import type { RuleSimulation, SimulatedGain, SimulatedLoss } from '@guildhall/sdk'
import { spokenLanguage, t } from '../../data/words.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { MemberLink } from '../../ui/member-link/member-link.tsx'
import { Time } from '../../ui/time/time.tsx'
import styles from './rules.module.css'

interface Props {
  readonly simulation: RuleSimulation
  readonly onSave: () => void
  readonly onClose: () => void
}

/** What a change of a rule means, before it is saved. */
export function EffectQuestion({ simulation, onSave, onClose }: Props) {
  return (
    <FormDialog
      title={t('This is what changes')}
      verb={t('Save the rule')}
      isDanger={simulation.lose.views > 0}
      isPending={false}
      error={null}
      onSubmit={onSave}
      onClose={onClose}
    >
      <Effect simulation={simulation} />
    </FormDialog>
  )
}

/** Who would have seen other pages in the last 30 days. */
export function Effect({ simulation: { since, views, is_complete, gain, lose } }: Pick<Props, 'simulation'>) {
  return (
    <>
      <p className={styles.soft}>
        {t('Compared with the {views} page {views:view|views} since', { views: views })} <Time at={since} />
      </p>
      {!is_complete && (
        <p>{t('There were too many pages for all of them; the least viewed are left out.')}</p>
      )}
      {gain.views === 0 && lose.views === 0 && <p>{t('Nobody who came would have seen another page.')}</p>}
      <Side
        title={t('Lose access: {members} {members:member|members}, {views} {views:view|views}', {
          members: lose.members,
          views: lose.views,
        })}
        side={lose}
        label={t('Pages that are lost')}
      />
      <Side
        title={t('Gain access: {members} {members:member|members}, {views} {views:view|views}', {
          members: gain.members,
          views: gain.views,
        })}
        side={gain}
        label={t('Pages that are gained')}
      />
    </>
  )
}

const MOST_PAGES = 10
const MOST_MEMBERS = 5

interface SideProps {
  readonly title: string
  readonly side: SimulatedGain | SimulatedLoss
  readonly label: string
}

function Side({ title, side: { views, anonymous_views, pages, member_ids }, label }: SideProps) {
  if (views === 0) return null
  return (
    <section className={styles.side}>
      <h3>{title}</h3>
      {anonymous_views > 0 && (
        <p>{t('{views} of the views {views:is|are} by visitors', { views: anonymous_views })}</p>
      )}
      {member_ids.length > 0 && (
        <ul className={styles.members}>
          {member_ids.slice(0, MOST_MEMBERS).map((id) => (
            <li key={id}>
              <MemberLink id={id} />
            </li>
          ))}
        </ul>
      )}
      <DataTable
        label={label}
        rows={pages.slice(0, MOST_PAGES)}
        keyOf={({ host, path }) => `${host} ${path}`}
        columns={[
          {
            title: t('Address'),
            cell: ({ host, path }) => (
              <code>
                {host ?? ''}
                {path}
              </code>
            ),
          },
          { title: t('Views'), cell: (page) => page.views.toLocaleString(spokenLanguage()), isNumber: true },
        ]}
      />
    </section>
  )
}
