import type { Lesson, LessonCompletionRule } from '@guildhall/sdk'
import { t } from '../../data/words.ts'
import { MarkdownField } from '../../ui/markdown-field/markdown-field.tsx'
import type { FieldTexts } from '../../ui/schema-form/field.tsx'
import type { Draft, DraftValue } from '../../ui/schema-form/values.ts'
import { FileField } from './file-field.tsx'

const RULES: readonly LessonCompletionRule[] = ['view', 'percent', 'quiz', 'manual']

const ruleNames = (): Readonly<Record<string, string>> => ({
  view: t('When the member says so'),
  percent: t('After 90 % of it'),
  quiz: t('When its quiz is passed'),
  manual: t('When you say so'),
})

/**
 * What the form of a lesson says about its fields.
 * @param known the lesson as it was read, and as it was read again: files are called as they call them
 */
export function lessonTexts(type: string, known: readonly Lesson[]): FieldTexts {
  const isVideo = type === 'video'
  const files = known.flatMap(({ file, captions = [] }) => [...(file ? [file] : []), ...captions])
  const nameOf = (id: DraftValue) => files.find((file) => file.id === id)?.name ?? String(id)
  return {
    labels: {
      title: t('Title'),
      content: t('Content'),
      file_id: isVideo ? t('Video') : t('File'),
      url: t('Or its address'),
      captions: t('Captions'),
      'captions[].file_id': t('File in the format WebVTT'),
      'captions[].language': t('Language'),
      'captions[].label': t('Name'),
      duration_minutes: t('Duration in minutes'),
      completion_rule: t('Completed'),
      drip_days: t('Opens after days'),
      required: t('The course is complete only with this lesson'),
    },
    descriptions: {
      ...{ title: '', duration_minutes: '', completion_rule: '', required: '' },
      url: t('An https address, where it is not a file of this project'),
      'captions[].language': t('A tag such as en or de-AT'),
      'captions[].label': t('What viewers choose by, such as “English”'),
      drip_days: t('Days after the enrollment; 0: at once'),
    },
    values: {
      file_id: nameOf,
      captions: (rows) =>
        (rows as readonly Draft[])
          .map(({ label, language, file_id: file = '' }) => `${label} (${language}, ${nameOf(file)})`)
          .join(', '),
    },
    controls: {
      content: ({ label, name, value, onChange, error }) => (
        <MarkdownField {...{ label, name, onChange, error }} value={String(value ?? '')} />
      ),
      file_id: ({ label, value, onChange, error }) => (
        <FileField {...{ label, value, onChange, error }} accept={isVideo ? ['video/*'] : []} />
      ),
      'captions[].file_id': ({ label, value, onChange, error }) => (
        <FileField {...{ label, value, onChange, error }} accept={['.vtt', 'text/vtt']} />
      ),
      completion_rule: {
        options: RULES.filter((rule) => rule !== 'quiz' || type === 'quiz').map((id) => ({
          id,
          name: ruleNames()[id] ?? id,
        })),
      },
    },
  }
}
