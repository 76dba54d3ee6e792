import type { ReactNode } from 'react'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import { CopyButton } from '../copy-button/copy-button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { Fields } from '../fields/fields.tsx'
import styles from './browser-secret.module.css'

interface Props {
  readonly title: string
  readonly secret: string
  readonly publishableKey?: string | undefined
  readonly onClose: () => void
  /** What happens next. */
  readonly children: ReactNode
}

/** What the script of a payment provider needs in the browser of the payer. It is shown here, and stored nowhere. */
export function BrowserSecret({ title, secret, publishableKey, onClose, children }: Props) {
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {children}
      <Fields
        fields={[
          [t('Client secret'), <Copied key="secret" text={secret} />],
          ...(publishableKey === undefined
            ? []
            : [[t('Publishable key'), <Copied key="key" text={publishableKey} />] as const]),
        ]}
      />
      <div>
        <Button kind="primary" onPress={onClose}>
          {t('Close')}
        </Button>
      </div>
    </Dialog>
  )
}

function Copied({ text }: { readonly text: string }) {
  return (
    <span className={styles.copied}>
      <code>{text}</code> <CopyButton text={text} />
    </span>
  )
}
