import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../data/list-query.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { bytesInWords } from '../../ui/bytes/bytes.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'

/** A whole percentage; of what is used and less than one, that it is. */
function percentOf(part: number, whole: number): number | string {
  if (part === 0 || whole === 0) return 0
  const percent = Math.round((part / whole) * 100)
  return percent === 0 ? '< 1' : percent
}

/** How much of its quota the files of the present side take. */
export function Storage() {
  const { project, side, client } = useProject()
  const { data, error } = useQuery({
    queryKey: [project, side, 'storage-usage'],
    queryFn: ({ signal }) => client.storage.usage.get({ signal }),
  })
  if (error) return <ErrorNotice error={error} />
  if (data === undefined) return <p role="status">{t('Loading …')}</p>
  const { bytes, files, quota_bytes } = data
  return (
    <Fields
      fields={[
        [t('Files'), files.toLocaleString(spokenLanguage())],
        [
          t('Used'),
          t('{used} of {quota}, {percent} %', {
            used: bytesInWords(bytes),
            quota: bytesInWords(quota_bytes),
            percent: percentOf(bytes, quota_bytes),
          }),
        ],
      ]}
    />
  )
}
