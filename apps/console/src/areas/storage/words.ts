import { t } from '../../data/words.ts'

/** The part of a content type before its slash, in words. */
export const typeName = (type: string): string =>
  ({
    image: t('Pictures'),
    video: t('Videos'),
    audio: t('Sounds'),
    text: t('Texts'),
    application: t('Documents and others'),
  })[type] ?? type

/** What uses a file, with how many of it. */
export function wordsOfUse({ type, count }: { readonly type: string; readonly count: number }): string {
  const name =
    {
      form_submission: t('Submissions of forms'),
      product: t('Products'),
      course: t('Courses'),
      lesson: t('Lessons'),
      avatar: t('Pictures of members'),
      discussion: t('Discussions'),
      comment: t('Comments'),
      feedback: t('Feedback'),
    }[type] ?? type.replaceAll('_', ' ')
  return `${name}: ${count.toLocaleString()}`
}
