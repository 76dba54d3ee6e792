import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'

const DAY_MS = 86_400_000
const jumps = () =>
  [
    { name: t('One day'), days: 1 },
    { name: t('One week'), days: 7 },
    { name: t('One month'), days: 31 },
    { name: t('One year'), days: 366 },
  ] as const

/** The clock of the test side: what is due until a later time happens at once. */
export function TestClock() {
  const { project, side, client } = useProject()
  const { canChange } = useRights()
  const [to, setTo] = useState<Date>()
  const { data, error, refetch } = useQuery({
    queryKey: [project, side, 'test-clock'],
    queryFn: ({ signal }) => client.testClock.get({ signal }),
    enabled: side === 'test' && canChange,
  })
  return (
    <Page title={t('Test clock')}>
      {side !== 'test' && (
        <Empty title={t('The live side goes by real time')}>{t('Only the test side has a clock.')}</Empty>
      )}
      {side === 'test' && !canChange && <Empty title={t('Owners and admins move the clock')} />}
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data && (
        <>
          <Fields
            fields={[
              [t('Time of the clock'), <Time key="now" at={data.now} />],
              [
                t('Ahead of real time'),
                t('{n} {n:day|days}', { n: Math.round((data.moved_by_seconds * 1_000) / DAY_MS) }),
              ],
            ]}
          />
          <Section title={t('Move the clock forward')}>
            <p>
              {t(
                'Renewals, ends of trials, retries and reservations until then happen at their own time, in order.',
              )}
            </p>
            <Buttons>
              {jumps().map(({ name, days }) => (
                <Button key={days} onPress={() => setTo(new Date(Date.parse(data.now) + days * DAY_MS))}>
                  {name}
                </Button>
              ))}
            </Buttons>
          </Section>
          {to && <Advance to={to} onClose={() => setTo(undefined)} />}
        </>
      )}
    </Page>
  )
}

function Advance({ to, onClose }: { readonly to: Date; readonly onClose: () => void }) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const advance = useMutation({
    mutationFn: () => client.testClock.advance({ to: to.toISOString() }),
    onSuccess: async () => {
      // Anything of this side may have changed.
      await queries.invalidateQueries({ queryKey: [project, side] })
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('Move the clock forward?')}
      verb={t('Move the clock')}
      isDanger
      isPending={advance.isPending}
      error={advance.error}
      onSubmit={() => advance.mutate()}
      onClose={onClose}
    >
      <p>
        {t('The clock of the test side shows then:')} <Time at={to.toISOString()} />
      </p>
      <p>{t('The clock does not go back. Bills that are due are made and collected from test accounts.')}</p>
    </FormDialog>
  )
}
