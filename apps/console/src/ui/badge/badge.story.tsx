import type { Stories } from '../story.ts'
import { Badge } from './badge.tsx'

export const stories: Stories = {
  good: () => <Badge state="active" />,
  bad: () => <Badge state="past_due" />,
  waiting: () => <Badge state="pending_payment" />,
  'a state of a newer API': () => <Badge state="hibernating" />,
}
