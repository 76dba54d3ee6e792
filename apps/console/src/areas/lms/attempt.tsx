import type { Attempt } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'

interface Props {
  readonly id: string
  readonly title: string
  readonly onClose: () => void
}

/** An attempt at a quiz, question by question. */
export function ShowAttempt({ id, title, onClose }: Props) {
  const { project, side, client } = useProject()
  const { data, error, refetch } = useQuery({
    queryKey: [project, side, 'courses', 'attempt', id],
    queryFn: ({ signal }) => client.lms.attempts.get(id, { signal }),
  })
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {data && <Questions of={data} />}
      <div>
        <Button kind="primary" onPress={onClose}>
          {t('Close')}
        </Button>
      </div>
    </Dialog>
  )
}

function Questions({ of: { questions, result, started_at, submitted_at } }: { readonly of: Attempt }) {
  const graded = new Map(result?.questions.map((each) => [each.question_id, each]))
  return (
    <>
      <p>
        {t('Begun')} <Time at={started_at} />
        {submitted_at !== null && (
          <>
            {' · '}
            {t('Submitted')} <Time at={submitted_at} />
          </>
        )}
      </p>
      {result === null && <p>{t('It is not graded yet.')}</p>}
      <DataTable
        label={t('Questions')}
        rows={questions}
        keyOf={({ id }) => id}
        columns={[
          { title: t('Question'), cell: ({ text }) => <bdi>{text}</bdi> },
          {
            title: t('Points'),
            cell: ({ id, points }) =>
              t('{points} of {most}', { points: graded.get(id)?.points ?? 0, most: points }),
            isNumber: true,
          },
          {
            title: t('Right'),
            cell: ({ id }) => {
              const grade = graded.get(id)
              return grade === undefined ? '–' : grade.correct ? t('Yes') : t('No')
            },
          },
        ]}
      />
    </>
  )
}
