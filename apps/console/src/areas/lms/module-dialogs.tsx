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
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { ReadFirst } from '../../ui/schema-form/read-first.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { TO_DELETE, useModule, useRefresh } from './queries.ts'

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

/** Changes a module. */
export function EditModule({ module, onClose }: OneModuleProps) {
  const query = useModule(module.id)
  const title = t('Edit {name}', { name: module.title })
  return (
    <ReadFirst {...{ title, query, onClose }}>
      {(read) => <ModuleForm read={read} title={title} onClose={onClose} />}
    </ReadFirst>
  )
}

interface ModuleFormProps {
  readonly read: Read<CourseModule>
  readonly title: string
  readonly onClose: () => void
}

function ModuleForm({ read, title, onClose }: ModuleFormProps) {
  const { id } = read.value
  const { client } = useProject()
  const refresh = useRefresh()
  const { readAgain } = useModule(id)
  const form = useSchemaForm<ModuleChanges>({
    operation: lmsModulesUpdate,
    read,
    readAgain,
    of: id,
    send: (body, options) => client.lms.modules.update(id, body, options),
    onDone: async () => {
      await refresh()
      onClose()
    },
    onUnchanged: onClose,
  })
  return <SchemaFormDialog form={form} title={title} verb={t('Save')} {...texts()} onClose={onClose} />
}

export function RemoveModule({ module: { id, title }, onClose }: OneModuleProps) {
  const { client } = useProject()
  const refresh = useRefresh()
  const query = useModule(id, TO_DELETE)
  return (
    <ReadFirst title={t('Remove “{name}”?', { name: title })} {...{ query, onClose }}>
      {({ value, etag }) => (
        <Confirm
          title={t('Remove “{name}”?', { name: value.title })}
          verb={t('Remove')}
          act={() => client.lms.modules.delete(id, { ifMatch: etag })}
          onDone={refresh}
          onClose={onClose}
        >
          {t('The module has no lessons. It cannot be brought back.')}
        </Confirm>
      )}
    </ReadFirst>
  )
}
