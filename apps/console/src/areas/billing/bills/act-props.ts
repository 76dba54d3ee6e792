import type { Bill } from '@guildhall/sdk'

/** What the dialog of an act on a bill is given. */
export interface ActProps {
  readonly bill: Bill
  readonly onClose: () => void
}
