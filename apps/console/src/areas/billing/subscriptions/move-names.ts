import { t } from '../../../data/words.ts'

/** What changed a subscription, by the name of the event in the API. */
export const moveName = (event: string): string =>
  ({
    create: t('Beginning'),
    due: t('On its date'),
    bill_paid: t('Bill paid'),
    bill_voided: t('Bill voided'),
    charge_failed: t('Charge failed'),
    cancel: t('Cancellation'),
    pause: t('Paused'),
    resume: t('Resumed'),
    change: t('Change of plan'),
    override: t('Ended'),
    member_deleted: t('Member deleted'),
    member_restored: t('Member restored'),
  })[event] ?? event
