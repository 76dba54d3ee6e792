import { t } from '../../data/words.ts'
import styles from './badge.module.css'

type Tone = 'good' | 'bad' | 'waiting' | 'neutral'

/** What states of the API look like; a state that is not listed is neutral. */
const TONES: Readonly<Record<string, Tone>> = {
  ...{
    active: 'good',
    paid: 'good',
    published: 'good',
    succeeded: 'good',
    completed: 'good',
    fulfilled: 'good',
    delivered: 'good',
    done: 'good',
    enabled: 'good',
  },
  ...{
    past_due: 'bad',
    failed: 'bad',
    bounced: 'bad',
    canceled: 'bad',
    uncollectible: 'bad',
    failing: 'bad',
  },
  ...{
    pending: 'waiting',
    pending_payment: 'waiting',
    upload_pending: 'waiting',
    invited: 'waiting',
    open: 'waiting',
    incomplete: 'waiting',
    trialing: 'waiting',
    sending: 'waiting',
    queued: 'waiting',
    running: 'waiting',
    uploading: 'waiting',
  },
}

/** A state in words, with a colour that only repeats it. */
export function Badge({ state }: { readonly state: string }) {
  return (
    <span className={`${styles.badge} ${styles[TONES[state] ?? 'neutral']}`}>
      {t(state.replaceAll('_', ' '))}
    </span>
  )
}
