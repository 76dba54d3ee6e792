import type { CourseChanges, CourseDetail } from '@guildhall/sdk'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { lmsCoursesUpdate } from '../../forms.generated/lms.ts'
import { Section } from '../../ui/page/page.tsx'
import type { FieldTexts } from '../../ui/schema-form/field.tsx'
import { ReadOnlyForm } from '../../ui/schema-form/read-only.tsx'
import { SchemaForm } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import type { DraftValue, Values } from '../../ui/schema-form/values.ts'
import { CourseActs } from './course-acts.tsx'
import { CoursePage } from './course-page.tsx'
import { Effects } from './effects.tsx'
import { FileField } from './file-field.tsx'
import { Prerequisites } from './prerequisites.tsx'
import { useActiveCount, useAllCourses, useCourse, useRefresh } from './queries.ts'

const FIELDS = [
  ...['title', 'slug', 'description', 'thumbnail_file_id', 'category', 'level', 'duration_hours', 'price'],
  ...['currency', 'access_days', 'capacity', 'prerequisites', 'certificates'],
]

/** Everything about a course but its outline. */
export function CourseSettings() {
  return (
    <CoursePage actions={(read) => <CourseActs read={read} />}>
      {(read) => (
        <Section title={t('Settings')}>
          <Settings key={read.value.id} read={read} />
        </Section>
      )}
    </CoursePage>
  )
}

function Settings({ read }: { readonly read: Read<CourseDetail> }) {
  const { id } = read.value
  const { client } = useProject()
  const { canChange } = useRights()
  const { data: active = 0 } = useActiveCount(id)
  const { readAgain } = useCourse(id)
  const refresh = useRefresh()
  const form = useSchemaForm<CourseChanges>({
    operation: lmsCoursesUpdate,
    fields: FIELDS,
    read,
    readAgain,
    of: id,
    send: (body, options) => client.lms.courses.update(id, body, options),
    onDone: refresh,
  })
  const texts = useTexts(id)
  if (!canChange) return <ReadOnlyForm form={form} {...texts} />
  return (
    <SchemaForm form={form} {...texts}>
      <Effects said={effectsOf(form.body, read.value, active)} />
    </SchemaForm>
  )
}

/** What the form says about its fields. @param id of the course, which does not come before itself */
function useTexts(id: string): FieldTexts {
  const { data: all = [] } = useAllCourses()
  const titleOf = (course: DraftValue) => all.find((each) => each.id === course)?.title ?? String(course)
  return {
    labels: {
      ...{ title: t('Title'), slug: t('Slug'), description: t('Description'), category: t('Category') },
      ...{ thumbnail_file_id: t('Picture'), level: t('Level'), price: t('Price'), currency: t('Currency') },
      duration_hours: t('Duration in hours'),
      access_days: t('Days of access'),
      capacity: t('Places'),
      prerequisites: t('Courses that come first'),
      certificates: t('Who completes the course gets a certificate'),
    },
    descriptions: {
      ...{ title: '', description: '', category: '', level: '', duration_hours: '', certificates: '' },
      slug: t('A part of addresses: lower-case words joined by hyphens'),
      price: t('0: members can enroll themselves'),
      currency: t('Three letters, such as eur'),
      access_days: t('Empty: without an end'),
      capacity: t('Empty: without a limit'),
    },
    values: { prerequisites: (ids) => (ids as readonly DraftValue[]).map(titleOf).join(', ') },
    controls: {
      price: { money: ({ currency }) => String(currency || 'eur') },
      thumbnail_file_id: ({ label, value, onChange, error }) => (
        <FileField {...{ label, value, onChange, error }} accept={['image/*']} visibility="public" />
      ),
      prerequisites: (props) => <Prerequisites {...props} others={all.filter((each) => each.id !== id)} />,
    },
  }
}

/** What a change does to those who are enrolled. */
function effectsOf(changes: Values, course: CourseDetail, count: number): string[] {
  const { capacity } = changes
  return [
    ...('access_days' in changes
      ? [
          t(
            'The days of access are for new enrollments. {count} {count:member who is learning keeps the present end|members who are learning keep their end}.',
            { count },
          ),
        ]
      : []),
    ...(typeof capacity === 'number' && capacity < count
      ? [
          t(
            '{count} {count:member is|members are} learning, more than there are places: they stay, and nobody can be added.',
            { count },
          ),
        ]
      : []),
    ...('price' in changes
      ? [t('The price is for new enrollments. Who is enrolled pays nothing more and gets nothing back.')]
      : []),
    ...('prerequisites' in changes
      ? [t('Courses that come first are asked for at the enrollment. Who is enrolled goes on.')]
      : []),
    ...('certificates' in changes
      ? [t('Certificates that were issued stay. Who completes the course from now on is judged by this.')]
      : []),
    ...('slug' in changes
      ? [
          t('Plans and products that open the course by the feature course:{slug} open it no longer.', {
            slug: course.slug,
          }),
        ]
      : []),
  ]
}
