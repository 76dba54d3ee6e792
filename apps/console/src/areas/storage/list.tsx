import type { File as StoredFile } from '@guildhall/sdk'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Bytes } from '../../ui/bytes/bytes.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { useSelection } from '../../ui/data-table/use-selection.ts'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { MemberLink } from '../../ui/member-link/member-link.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { BulkFiles } from './bulk.tsx'
import { useFiles } from './queries.ts'
import { Quota } from './quota.tsx'
import { Upload } from './upload.tsx'
import { typeName } from './words.ts'

const columnsOf = (): Column<StoredFile>[] => [
  { title: t('Name'), cell: ({ name }) => <bdi>{name}</bdi>, sort: 'name' },
  { title: t('Type'), cell: ({ content_type }) => <code>{content_type}</code>, hideBelow: 700 },
  { title: t('Size'), cell: ({ size }) => <Bytes bytes={size} />, sort: 'size', isNumber: true },
  {
    title: t('Visibility'),
    cell: ({ visibility, status }) => (
      <span>
        <Badge state={visibility} />
        {status !== 'ready' && <Badge state="upload_pending" />}
      </span>
    ),
  },
  {
    title: t('Owner'),
    cell: ({ owner_id }) => (owner_id === null ? '–' : <MemberLink id={owner_id} />),
  },
  {
    title: t('Created'),
    cell: ({ created_at }) => <Time at={created_at} />,
    sort: 'created_at',
    hideBelow: 850,
  },
]

export function FileList() {
  const list = useFiles()
  const { canChange } = useRights()
  const selection = useSelection({
    list,
    keyOf: ({ id }: StoredFile) => id,
    nameOf: ({ name }) => name,
  })
  return (
    <Page title={t('Files')} actions={canChange && <Upload />}>
      <Quota />
      <List
        title={t('Files')}
        list={list}
        searchLabel={t('Search files')}
        dates={t('Created')}
        {...(canChange && { selection, bulkActs: <BulkFiles selection={selection} /> })}
        filters={[
          {
            name: 'type',
            label: t('Type'),
            values: ['image', 'video', 'audio', 'text', 'application'],
            titleOf: typeName,
          },
          { name: 'visibility', label: t('Visibility'), values: ['private', 'public'] },
        ]}
        keyOf={({ id }) => id}
        linkOf={({ id }) => ({ to: '/$project/$side/files/$id', params: { ...list.params, id } })}
        columns={columnsOf()}
        empty={
          <Empty title={t('There are no files yet')}>
            {t('Files that you upload, and those of members, appear here.')}
          </Empty>
        }
      />
    </Page>
  )
}
