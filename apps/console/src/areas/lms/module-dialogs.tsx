import type {
  CourseDetail,
  CourseModule,
  ModuleChanges,
  NewModule as NewModuleBody,
  OutlineModule,
} from '@guildhall/sdk'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { t } from '../../data/words.ts'
import { lmsModulesCreate, lmsModulesUpdate } from '../../forms.generated/lms.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { useChange, useModule, useReadModule, useRefresh } from './queries.ts'

const texts = () => ({
  labels: { title: t('Title'), description: t('Description') },
  descriptions: { title: '', description: '' },
})

interface NewModuleProps {
  readonly course: CourseDetail
  readonly onClose: () => void
}

export function NewModule({ course, onClose }: NewModuleProps) {
  const { client } = useProject()
  const refresh = useRefresh()
  const form = useSchemaForm<NewModuleBody>({
    operation: lmsModulesCreate,
    of: course.id,
    send: (body) => client.lms.modules.create(course.id, body),
    onDone: async () => {
      await refresh()
      onClose()
    },
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Add a module')}
      verb={t('Add the module')}
      {...texts()}
      onClose={onClose}
    />
  )
}

interface OneModuleProps {
  readonly module: OutlineModule
  readonly onClose: () => void
}

/** Changes a module, once it is read with its ETag, which the outline has not. */
export function EditModule({ module, onClose }: OneModuleProps) {
  const { data: read, error, refetch, isFetchedAfterMount } = useModule(module.id)
  if (read !== undefined && isFetchedAfterMount)
    return <ModuleForm read={read} title={module.title} onClose={onClose} />
  return (
    <Dialog title={t('Edit {name}', { name: module.title })} isOpen onClose={onClose}>
      {error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>}
    </Dialog>
  )
}

const valuesOf = ({ value, etag }: Read<CourseModule>) => ({ values: value, etag })

interface ModuleFormProps {
  readonly read: Read<CourseModule>
  readonly title: string
  readonly onClose: () => void
}

function ModuleForm({ read, title, onClose }: ModuleFormProps) {
  const { id } = read.value
  const { client } = useProject()
  const refresh = useRefresh()
  const readModule = useReadModule(id)
  const form = useSchemaForm<ModuleChanges>({
    operation: lmsModulesUpdate,
    read: valuesOf(read),
    readAgain: async () => valuesOf(await readModule()),
    of: id,
    send: (body, options) => client.lms.modules.update(id, body, options),
    onDone: async () => {
      await refresh()
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Edit {name}', { name: title })}
      verb={t('Save')}
      {...texts()}
      onClose={onClose}
    />
  )
}

export function RemoveModule({ module, onClose }: OneModuleProps) {
  const { mutate, isPending, error } = useChange((client) => client.lms.modules.delete(module.id), onClose)
  return (
    <FormDialog
      title={t('Remove “{name}”?', { name: module.title })}
      verb={t('Remove')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>{t('The module has no lessons. It cannot be brought back.')}</p>
    </FormDialog>
  )
}
