import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import styles from './pagination.module.css'

interface Props {
  /** From 1. */
  readonly page: number
  readonly hasNext: boolean
  /** Undefined where the API counts no further. */
  readonly total: number | undefined
  readonly onPage: (page: number) => void
  /** Called when somebody is about to go to a page: the pointer or the focus is on its button. */
  readonly onIntent?: (page: number) => unknown
}

export function Pagination({ page, hasNext, total, onPage, onIntent }: Props) {
  return (
    <nav aria-label={t('Pages')} className={styles.pages}>
      <p role="status">
        {total === undefined
          ? t('Page {page}', { page })
          : t('Page {page}, {total} in all', { page, total: total })}
      </p>
      <Button isDisabled={page <= 1} onPress={() => onPage(page - 1)}>
        {t('Previous')}
      </Button>
      <Button isDisabled={!hasNext} onIntent={() => onIntent?.(page + 1)} onPress={() => onPage(page + 1)}>
        {t('Next')}
      </Button>
    </nav>
  )
}
