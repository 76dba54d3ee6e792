import type { FileChanges, FileDetail, File as StoredFile } from '@guildhall/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { storageFilesUpdate } from '../../forms.generated/storage.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Bytes } from '../../ui/bytes/bytes.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { MemberLink } from '../../ui/member-link/member-link.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { Time } from '../../ui/time/time.tsx'
import styles from './files.module.css'
import { isShown, useFile, useFileChange, usePicture, useReadFile } from './queries.ts'
import { wordsOfUse } from './words.ts'

export function FileScreen() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useFile(id)
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { value: file } = read
  return (
    <Page
      title={file.name}
      back={
        <Link to="/$project/$side/files" params={{ project, side }}>
          {t('All files')}
        </Link>
      }
      actions={<Actions read={read} />}
    >
      {isShown(file) && <Picture file={file} />}
      <Section title={t('File')}>
        <Fields
          fields={[
            [t('Id'), <code key="id">{file.id}</code>],
            [t('Type'), <code key="type">{file.content_type}</code>],
            [t('Size'), <Bytes key="size" bytes={file.size} />],
            [t('Visibility'), <Badge key="visibility" state={file.visibility} />],
            [t('Status'), <Badge key="status" state={file.status} />],
            [t('Owner'), file.owner_id && <MemberLink id={file.owner_id} />],
            [
              t('Address'),
              file.visibility === 'public' && file.url ? <code key="url">{file.url}</code> : null,
            ],
            ['SHA-256', file.checksum_sha256 && <code>{file.checksum_sha256}</code>],
            [t('Created'), <Time key="created" at={file.created_at} />],
          ]}
        />
      </Section>
      <Section title={t('Used by')}>
        <Uses file={file} />
      </Section>
    </Page>
  )
}

function Uses({ file: { used_by = [] } }: { readonly file: FileDetail }) {
  if (used_by.length === 0) return <p>{t('Nothing uses it.')}</p>
  return (
    <ul>
      {used_by.map((use) => (
        <li key={use.type}>{wordsOfUse(use)}</li>
      ))}
    </ul>
  )
}

function Picture({ file }: { readonly file: StoredFile }) {
  const { data: address, error, refetch } = usePicture(file)
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  if (address === undefined) return <p role="status">{t('Loading …')}</p>
  return <img src={address} alt={t('Preview of {name}', { name: file.name })} className={styles.picture} />
}

type Asked = 'edit' | 'delete'

function Actions({ read }: { readonly read: Read<FileDetail> }) {
  const { value: file } = read
  const { canChange } = useRights()
  const [asked, setAsked] = useState<Asked>()
  const open = useFileChange(
    (client) => client.storage.files.signUrl(file.id, { expires_in: 300 }),
    ({ url }) => window.location.assign(url),
  )
  const close = () => setAsked(undefined)
  if (!canChange) return null
  return (
    <>
      {open.error && <ErrorNotice error={open.error} />}
      <Button isDisabled={file.status !== 'ready'} isPending={open.isPending} onPress={() => open.mutate()}>
        {t('Download')}
      </Button>
      <Button onPress={() => setAsked('edit')}>{t('Edit')}</Button>
      <Button kind="danger" onPress={() => setAsked('delete')}>
        {t('Delete')}
      </Button>
      {asked === 'edit' && <EditFile read={read} onClose={close} />}
      {asked === 'delete' && <DeleteFile read={read} onClose={close} />}
    </>
  )
}

interface Props {
  readonly read: Read<FileDetail>
  readonly onClose: () => void
}

function EditFile({ read, onClose }: Props) {
  const { id, name, visibility } = read.value
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const readFile = useReadFile(id)
  const form = useSchemaForm<FileChanges>({
    operation: storageFilesUpdate,
    read,
    readAgain: () => readFile(),
    of: id,
    send: (body, options) => client.storage.files.update(id, body, options),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: [project, side, 'files'] })
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Edit {name}', { name })}
      verb={t('Save')}
      labels={{ name: t('Name'), visibility: t('Visibility') }}
      descriptions={{ name: '', visibility: '' }}
      controls={{
        visibility: {
          options: [
            { id: 'private', name: t('Private: for keys and signed links') },
            { id: 'public', name: t('Public: for everybody who knows the address') },
          ],
        },
      }}
      onClose={onClose}
    >
      {form.draft['visibility'] !== visibility && <p>{t('The address of the file changes.')}</p>}
    </SchemaFormDialog>
  )
}

function DeleteFile({ read: { value: file, etag }, onClose }: Props) {
  const { project = '', side = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { mutate, isPending, error } = useFileChange(
    (client) => client.storage.files.delete(file.id, { ifMatch: etag }),
    () => {
      onClose()
      return navigate({ to: '/$project/$side/files', params: { project, side } })
    },
  )
  return (
    <FormDialog
      title={t('Delete “{name}”?', { name: file.name })}
      verb={t('Delete')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      {(file.used_by ?? []).length > 0 && <p>{t('These lose it:')}</p>}
      <Uses file={file} />
      <p>{t('A deleted file cannot be restored.')}</p>
    </FormDialog>
  )
}
