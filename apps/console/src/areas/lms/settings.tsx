import type { CourseChanges, CourseDetail, CourseLevel } from '@guildhall/sdk'
import { Form } from 'react-aria-components/Form'
import { faultOf, isOnFields } from '../../data/faults.ts'
import type { Read } from '../../data/read.ts'
import { useRights } from '../../data/role.ts'
import { t, wordOf } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Section } from '../../ui/page/page.tsx'
import { LeaveGuard } from '../../ui/schema-form/leave.tsx'
import { Offer } from '../../ui/schema-form/schema-form.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextArea } from '../../ui/text-area/text-area.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Check } from './check.tsx'
import { Conflict } from './conflict.tsx'
import { CourseActs } from './course-acts.tsx'
import { CoursePage } from './course-page.tsx'
import styles from './editor.module.css'
import { LEVELS } from './levels.ts'
import { numberIn, typed } from './numbers.ts'
import { useActiveCount, useAllCourses, useChange, useCourse } from './queries.ts'
import { isConflict, useEdit } from './use-edit.ts'

const draftOf = (course: CourseDetail) => ({
  title: course.title,
  slug: course.slug,
  description: course.description,
  category: course.category,
  level: course.level as string,
  duration_hours: typed(course.duration_hours),
  price: typed(course.price),
  currency: course.currency,
  access_days: typed(course.access_days),
  capacity: typed(course.capacity),
  prerequisites: course.prerequisites,
  certificates: course.certificates,
})
type Draft = ReturnType<typeof draftOf>
const FIELDS = [
  ...['title', 'slug', 'description', 'category', 'level', 'duration_hours', 'price', 'currency'],
  ...['access_days', 'capacity', 'prerequisites', 'certificates'],
]

/** What is sent of what was typed. */
function bodyOf({
  duration_hours,
  price,
  access_days,
  capacity,
  level,
  ...others
}: Partial<Draft>): CourseChanges {
  return {
    ...others,
    ...(level !== undefined && { level: level as CourseLevel }),
    ...(duration_hours !== undefined && { duration_hours: numberIn(duration_hours) ?? 0 }),
    ...(price !== undefined && { price: numberIn(price) ?? 0 }),
    ...(access_days !== undefined && { access_days: numberIn(access_days) }),
    ...(capacity !== undefined && { capacity: numberIn(capacity) }),
  }
}

/** Everything about a course but its outline. */
export function CourseSettings() {
  return (
    <CoursePage actions={({ value }) => <CourseActs course={value} />}>
      {(read) => <Settings key={read.value.id} read={read} />}
    </CoursePage>
  )
}

function Settings({ read }: { readonly read: Read<CourseDetail> }) {
  const { id } = read.value
  const { canChange } = useRights()
  const latest = useCourse(id)
  const edit = useEdit(`course ${id}`, read, draftOf)
  const save = useChange(
    (client) => client.lms.courses.update(id, bodyOf(edit.changes), edit.ifMatch),
    async () => {
      const { data } = await latest.refetch()
      if (data) edit.restart(data)
    },
  )
  const { draft, set } = edit
  const error = isConflict(save.error) ? null : save.error
  const load = async () => {
    const { data } = await latest.refetch()
    if (data) edit.rebase(data)
    save.reset()
  }
  const text = (field: keyof Draft & string, label: string, description?: string) => (
    <TextField
      label={label}
      name={field}
      value={String(draft[field])}
      onChange={(value) => set({ [field]: value } as Partial<Draft>)}
      error={faultOf(error, field)}
      {...(description !== undefined && { description })}
    />
  )
  return (
    <Section title={t('Settings')}>
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (edit.isChanged) save.mutate()
        }}
      >
        {edit.offered && <Offer offered={edit.offered} />}
        <LeaveGuard mustAsk={() => edit.isChanged && !save.isPending} />
        {isConflict(save.error) && <Conflict onLoad={load} />}
        {error && !isOnFields(error, FIELDS) && <ErrorNotice error={error} />}
        {text('title', t('Title'))}
        {text('slug', t('Slug'), t('A part of addresses: lower-case words joined by hyphens'))}
        <TextArea
          label={t('Description')}
          name="description"
          value={draft.description}
          onChange={(description) => set({ description })}
          error={faultOf(error, 'description')}
        />
        <div className={styles.pair}>
          {text('category', t('Category'))}
          <Select
            label={t('Level')}
            isLabelShown
            options={LEVELS.map((level) => ({ id: level, name: wordOf(level) }))}
            value={draft.level}
            onChange={(level) => set({ level })}
          />
          {text('duration_hours', t('Duration in hours'))}
        </div>
        <div className={styles.pair}>
          {text('price', t('Price'), t('0: members can enroll themselves'))}
          {text('currency', t('Currency'), t('Three letters, such as eur'))}
        </div>
        <div className={styles.pair}>
          {text('access_days', t('Days of access'), t('Empty: without an end'))}
          {text('capacity', t('Places'), t('Empty: without a limit'))}
        </div>
        <Prerequisites
          id={id}
          chosen={draft.prerequisites}
          onChange={(prerequisites) => set({ prerequisites })}
          error={faultOf(error, 'prerequisites')}
        />
        <Check isOn={draft.certificates} onChange={(certificates) => set({ certificates })}>
          {t('Who completes the course gets a certificate')}
        </Check>
        <Effects course={read.value} changes={edit.changes} />
        {canChange && (
          <div className={styles.actions}>
            <Button kind="primary" type="submit" isPending={save.isPending} isDisabled={!edit.isChanged}>
              {t('Save')}
            </Button>
            <span role="status">{save.isSuccess && !edit.isChanged && t('Saved')}</span>
          </div>
        )}
      </Form>
    </Section>
  )
}

interface PrerequisitesProps {
  readonly id: string
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
  readonly error: string | undefined
}

/** The courses that come first, by their titles. */
function Prerequisites({ id, chosen, onChange, error }: PrerequisitesProps) {
  const { canChange } = useRights()
  const { data: all = [] } = useAllCourses()
  const others = all.filter((course) => course.id !== id)
  const left = others.filter((course) => !chosen.includes(course.id))
  return (
    <fieldset className={styles.group}>
      <legend>{t('Courses that come first')}</legend>
      {chosen.length === 0 && <p className={styles.soft}>{t('None: everybody can begin')}</p>}
      {chosen.map((each) => {
        const title = all.find((course) => course.id === each)?.title ?? each
        return (
          <div key={each} className={styles.row}>
            <bdi className={styles.grow}>{title}</bdi>
            {canChange && (
              <Button
                label={t('Remove {name}', { name: title })}
                onPress={() => onChange(chosen.filter((other) => other !== each))}
              >
                {t('Remove')}
              </Button>
            )}
          </div>
        )
      })}
      {canChange && left.length > 0 && (
        <Select
          label={t('Add a course')}
          options={[
            { id: '', name: t('Add a course …') },
            ...left.map((course) => ({ id: course.id, name: course.title })),
          ]}
          value=""
          onChange={(added) => added !== '' && onChange([...chosen, added])}
          error={error}
        />
      )}
    </fieldset>
  )
}

/** What a change does to those who are enrolled, before it is saved. */
function Effects({ course, changes }: { readonly course: CourseDetail; readonly changes: Partial<Draft> }) {
  const { data: active = 0 } = useActiveCount(course.id)
  const capacity = changes.capacity === undefined ? undefined : numberIn(changes.capacity)
  const said = [
    ...(changes.access_days === undefined
      ? []
      : [
          t(
            'The days of access are for new enrollments. {count} {count:member who is learning keeps the present end|members who are learning keep their end}.',
            {
              count: active,
            },
          ),
        ]),
    ...(typeof capacity === 'number' && capacity < active
      ? [
          t(
            '{count} {count:member is|members are} learning, more than there are places: they stay, and nobody can be added.',
            {
              count: active,
            },
          ),
        ]
      : []),
    ...(changes.price === undefined
      ? []
      : [t('The price is for new enrollments. Who is enrolled pays nothing more and gets nothing back.')]),
    ...(changes.prerequisites === undefined
      ? []
      : [t('Courses that come first are asked for at the enrollment. Who is enrolled goes on.')]),
    ...(changes.certificates === undefined
      ? []
      : [t('Certificates that were issued stay. Who completes the course from now on is judged by this.')]),
    ...(changes.slug === undefined
      ? []
      : [
          t('Plans and products that open the course by the feature course:{slug} open it no longer.', {
            slug: course.slug,
          }),
        ]),
  ]
  if (said.length === 0) return null
  return (
    <div role="status" className={styles.preview}>
      <p>{t('What the change does:')}</p>
      <ul>
        {said.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </div>
  )
}
