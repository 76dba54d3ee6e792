import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../data/list-query.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { bytesInWords } from '../../ui/bytes/bytes.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'

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
            percent: quota_bytes === 0 ? 0 : Math.ceil((bytes / quota_bytes) * 100),
          }),
        ],
      ]}
    />
  )
}
