import type { CourseDetail, OutlineLesson, OutlineModule } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree'
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t, wordOf } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import styles from './outline.module.css'
import { moveTo, type Outline as Order, step } from './outline-order.ts'
import { useRefresh } from './queries.ts'

const MODULE = 'guildhall-module'
const LESSON = 'guildhall-lesson'

interface Props {
  readonly course: CourseDetail
  readonly onAdd: (module: OutlineModule) => void
  readonly onEdit: (module: OutlineModule) => void
  readonly onRemove: (of: OutlineModule | OutlineLesson) => void
}

const orderOf = ({ modules }: Pick<CourseDetail, 'modules'>): Order =>
  modules.map(({ id, lessons }) => ({ id, lessons: lessons.map((lesson) => lesson.id) }))

/** The order that was asked for last is shown until the API has answered; orders are sent one after the other. */
function useOrder(course: CourseDetail) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const refresh = useRefresh()
  const [wanted, setWanted] = useState<Order>()
  const { mutate, error } = useMutation({
    scope: { id: `order of ${course.id}` },
    mutationFn: (order: Order) =>
      client.lms.courses.reorder(course.id, {
        modules: order.map(({ id, lessons }) => ({ id, lessons: [...lessons] })),
      }),
    onSettled: async (_answer, _error, order) => {
      await queries.cancelQueries({ queryKey: [project, side, 'courses', course.id] })
      await refresh()
      setWanted((latest) => (latest === order ? undefined : latest))
    },
  })
  const order = wanted ?? orderOf(course)
  const put = (next: Order) => {
    setWanted(next)
    mutate(next)
  }
  return { order, put, error }
}

/** The modules and lessons of a course. They are put in order by drag, by the keyboard and by buttons. */
export function Outline({ course, onAdd, onEdit, onRemove }: Props) {
  const { canChange } = useRights()
  const { order, put, error } = useOrder(course)
  const [said, setSaid] = useState('')
  const modules = new Map(course.modules.map((module) => [module.id, module]))
  const lessons = new Map(course.modules.flatMap((module) => module.lessons.map((each) => [each.id, each])))
  const titleOf = (key: string) => modules.get(key)?.title ?? lessons.get(key)?.title ?? ''
  const change = (next: Order | undefined, key: string) => {
    if (next === undefined) return
    put(next)
    setSaid(placeOf(next, key, titleOf))
  }
  const tree = useRef<HTMLDivElement>(null)
  const stepBy = (key: string, by: -1 | 1, button: string) => {
    const next = step(order, key, by)
    if (next === undefined)
      return setSaid(by < 0 ? t('It is the first already') : t('It is the last already'))
    change(next, key)
    // In another module it is another element.
    requestAnimationFrame(() =>
      tree.current
        ?.querySelector<HTMLElement>(`[data-key="${key}"] [aria-label="${CSS.escape(button)}"]`)
        ?.focus(),
    )
  }
  const { dragAndDropHooks } = useDragAndDrop({
    isDisabled: !canChange,
    getItems: (keys) =>
      [...keys].map((key) => ({
        'text/plain': titleOf(String(key)),
        [modules.has(String(key)) ? MODULE : LESSON]: String(key),
      })),
    getDropOperation: (target, types) => {
      if (target.type !== 'item') return 'cancel'
      const isOnModule = modules.has(String(target.key))
      if (types.has(MODULE)) return isOnModule && target.dropPosition !== 'on' ? 'move' : 'cancel'
      return isOnModule === (target.dropPosition === 'on') ? 'move' : 'cancel'
    },
    onMove: ({ keys, target }) => {
      const [first = ''] = keys
      change(moveTo(order, textsOf(keys), { ...target, key: String(target.key) }), String(first))
    },
  })
  const steps = (key: string) => (
    <Steps title={titleOf(key)} onStep={(by, button) => stepBy(key, by, button)} />
  )
  const moduleRow = (module: OutlineModule, ofLessons: readonly string[]) => (
    <TreeItem key={module.id} id={module.id} textValue={module.title} className={styles.module ?? ''}>
      <TreeItemContent>
        <div className={styles.row}>
          {canChange && <Handle title={module.title} />}
          <div className={styles.text}>
            <strong>
              <bdi>{module.title}</bdi>
            </strong>
            {module.description !== '' && <span className={styles.soft}>{module.description}</span>}
          </div>
          {canChange && (
            <div className={styles.acts}>
              <Button
                label={t('Add a lesson to {title}', { title: module.title })}
                onPress={() => onAdd(module)}
              >
                {t('Add a lesson')}
              </Button>
              <Button label={t('Edit {name}', { name: module.title })} onPress={() => onEdit(module)}>
                {t('Edit')}
              </Button>
              {ofLessons.length === 0 && (
                <Button label={t('Remove {name}', { name: module.title })} onPress={() => onRemove(module)}>
                  {t('Remove')}
                </Button>
              )}
              {steps(module.id)}
            </div>
          )}
        </div>
      </TreeItemContent>
      {ofLessons.map((id) => lessons.get(id)).map((lesson) => lesson && lessonRow(lesson))}
    </TreeItem>
  )
  const lessonRow = (lesson: OutlineLesson) => (
    <TreeItem key={lesson.id} id={lesson.id} textValue={lesson.title} className={styles.lesson ?? ''}>
      <TreeItemContent>
        <div className={styles.row}>
          {canChange && <Handle title={lesson.title} />}
          <div className={styles.text}>
            <LessonLink course={course.id} lesson={lesson} />
            <span className={styles.soft}>{factsOf(lesson)}</span>
          </div>
          {canChange && (
            <div className={styles.acts}>
              <Button label={t('Remove {name}', { name: lesson.title })} onPress={() => onRemove(lesson)}>
                {t('Remove')}
              </Button>
              {steps(lesson.id)}
            </div>
          )}
        </div>
      </TreeItemContent>
    </TreeItem>
  )
  return (
    <>
      {error && <ErrorNotice error={error} />}
      <Tree
        ref={tree}
        aria-label={t('Outline')}
        keyboardNavigationBehavior="tab"
        dragAndDropHooks={dragAndDropHooks}
        expandedKeys={order.map(({ id }) => id)}
        className={styles.tree ?? ''}
      >
        {order.map(({ id, lessons: ofLessons }) => {
          const module = modules.get(id)
          return module && moduleRow(module, ofLessons)
        })}
      </Tree>
      <p role="status" className={styles.said}>
        {said}
      </p>
    </>
  )
}

const textsOf = (keys: Iterable<string | number>): ReadonlySet<string> => new Set([...keys].map(String))

/** Where something is now, in words. */
function placeOf(order: Order, key: string, titleOf: (key: string) => string): string {
  const at = order.findIndex(({ id }) => id === key)
  const title = titleOf(key)
  if (at >= 0)
    return t('“{title}” is now module {place} of {count}', { title, place: at + 1, count: order.length })
  const module = order.find(({ lessons }) => lessons.includes(key))
  if (module === undefined) return ''
  const values = { place: module.lessons.indexOf(key) + 1, count: module.lessons.length }
  return t('“{title}” is now lesson {place} of {count} in “{module}”', {
    ...{ title, module: titleOf(module.id) },
    ...values,
  })
}

function Handle({ title }: { readonly title: string }) {
  return (
    <AriaButton slot="drag" className={styles.handle ?? ''} aria-label={t('Move {title}', { title })}>
      ⠿
    </AriaButton>
  )
}

interface StepsProps {
  readonly title: string
  /** @param button its name, which has the focus again afterwards */
  readonly onStep: (by: -1 | 1, button: string) => void
}

function Steps({ title, onStep }: StepsProps) {
  const names = [t('Move {title} up', { title }), t('Move {title} down', { title })] as const
  return (
    <span className={styles.steps}>
      <Button kind="quiet" label={names[0]} onPress={() => onStep(-1, names[0])}>
        ↑
      </Button>
      <Button kind="quiet" label={names[1]} onPress={() => onStep(1, names[1])}>
        ↓
      </Button>
    </span>
  )
}

function LessonLink({ course, lesson }: { readonly course: string; readonly lesson: OutlineLesson }) {
  const { project, side } = useProject()
  return (
    <Link
      to="/$project/$side/courses/$id/lessons/$lesson"
      params={{ project, side, id: course, lesson: lesson.id }}
    >
      <bdi>{lesson.title}</bdi>
    </Link>
  )
}

/** What is to know of a lesson in a line. */
function factsOf({ type, duration_minutes, required, drip_days, quiz_id }: OutlineLesson): string {
  return [
    wordOf(type),
    ...(duration_minutes === null ? [] : [t('{n} min', { n: duration_minutes })]),
    ...(required ? [] : [t('optional')]),
    ...(drip_days === 0 ? [] : [t('opens after {n} {n:day|days}', { n: drip_days })]),
    ...(type === 'quiz' && quiz_id === null ? [t('no questions yet')] : []),
  ].join(' · ')
}
