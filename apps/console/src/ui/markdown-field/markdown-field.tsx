import { useMarkdown } from '../../data/markdown.ts'
import { t } from '../../data/words.ts'
import { ErrorNotice } from '../notice/notice.tsx'
import { RichText } from '../rich-text/rich-text.tsx'
import { TextArea } from '../text-area/text-area.tsx'
import styles from './markdown-field.module.css'

interface Props {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly rows?: number
  readonly error?: string | undefined
}

/** A text of Markdown, beside what readers will see. */
export function MarkdownField({ label, rows = 14, ...props }: Props) {
  return (
    <div className={styles.both}>
      <TextArea label={label} description={t('Markdown')} rows={rows} {...props} />
      <section className={styles.preview} aria-label={t('Preview of {label}', { label })}>
        <p className={styles.title}>{t('Preview')}</p>
        <Preview text={props.value} />
      </section>
    </div>
  )
}

function Preview({ text }: { readonly text: string }) {
  const { data: html, error } = useMarkdown(text)
  if (text.trim() === '') return <p className={styles.none}>{t('Nothing is written yet')}</p>
  if (error) return <ErrorNotice error={error} />
  return html === undefined ? null : <RichText html={html} top={2} />
}
