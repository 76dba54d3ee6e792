import { Link } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Fields } from '../../ui/fields/fields.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { useHistory } from './queries.ts'

/** What the author of a post has written before, and what became of it. */
export function AuthorHistory({ authorId }: { readonly authorId: string }) {
  const { project, side } = useProject()
  const { data, error, refetch } = useHistory(authorId)
  if (data === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const count = (list: { pagination?: { total?: number } }) => list.pagination?.total ?? 0
  const { suspension } = data
  return (
    <Fields
      fields={[
        [
          t('Discussions'),
          <Link
            key="discussions"
            to="/$project/$side/discussions"
            params={{ project, side }}
            search={{ author_id: authorId } as never}
          >
            {t('{shown} shown, {removed} removed', {
              shown: count(data.shown),
              removed: count(data.removed),
            })}
          </Link>,
        ],
        [
          t('Comments'),
          t('{shown} shown, {removed} removed', {
            shown: count(data.comments),
            removed: count(data.removedComments),
          }),
        ],
        [
          t('Last removed'),
          data.removedComments.data[0]?.excerpt || data.removed.data[0]?.title ? (
            <span key="last" dir="auto">
              {data.removed.data[0]?.title ?? data.removedComments.data[0]?.excerpt}
            </span>
          ) : null,
        ],
        [
          t('Suspended'),
          suspension && (
            <span key="suspended">
              <span dir="auto">{suspension.reason}</span>
              {suspension.until !== null && (
                <>
                  {' · '}
                  <Time at={suspension.until} />
                </>
              )}
            </span>
          ),
        ],
      ]}
    />
  )
}
