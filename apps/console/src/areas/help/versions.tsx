import type { Article, ArticleVersion } from '@guildhall/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { RichText } from '../../ui/rich-text/rich-text.tsx'
import { Time } from '../../ui/time/time.tsx'
import styles from './help.module.css'
import { useArticleVersions } from './queries.ts'

/** What was published of an article; each can be looked at and taken back. */
export function Versions({ article: { id, version: live } }: { readonly article: Article }) {
  const { data: versions, error, refetch } = useArticleVersions(id)
  const { canChange } = useRights()
  const [shown, setShown] = useState<ArticleVersion>()
  const [restored, setRestored] = useState<ArticleVersion>()
  if (versions === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  if (versions.length === 0) return <Empty title={t('Nothing was published yet')} />
  return (
    <>
      <DataTable
        label={t('Published versions')}
        rows={versions}
        keyOf={({ version }) => String(version)}
        columns={[
          { title: t('Version'), cell: ({ version }) => version },
          { title: t('Title'), cell: ({ title }) => <bdi>{title}</bdi> },
          { title: t('Published'), cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: t('Actions'),
            cell: (row) => (
              <span className={styles.acts}>
                <Button
                  label={t('Look at version {version}', { version: row.version })}
                  onPress={() => setShown(row)}
                >
                  {t('Look')}
                </Button>
                {canChange && row.version !== live && (
                  <Button
                    label={t('Restore version {version}', { version: row.version })}
                    onPress={() => setRestored(row)}
                  >
                    {t('Restore')}
                  </Button>
                )}
              </span>
            ),
          },
        ]}
      />
      <Dialog title={shown?.title ?? ''} isOpen={shown !== undefined} onClose={() => setShown(undefined)}>
        <RichText html={shown?.content_html ?? ''} />
      </Dialog>
      {restored && <Restore id={id} version={restored} onClose={() => setRestored(undefined)} />}
    </>
  )
}

interface RestoreProps {
  readonly id: string
  readonly version: ArticleVersion
  readonly onClose: () => void
}

function Restore({ id, version: { version }, onClose }: RestoreProps) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  return (
    <Confirm
      title={t('Restore version {version}?', { version })}
      verb={t('Restore')}
      isDanger={false}
      act={() => client.help.articles.versions.restore(id, String(version))}
      onDone={() => queries.invalidateQueries({ queryKey: [project, side, 'help'] })}
      onClose={onClose}
    >
      {t('Its text takes the place of the draft. Readers see it when you publish.')}
    </Confirm>
  )
}
