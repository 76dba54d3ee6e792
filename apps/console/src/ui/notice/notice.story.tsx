import type { Stories } from '../story.ts'
import { Empty, ErrorNotice } from './notice.tsx'

export const stories: Stories = {
  'a fault': () => (
    <ErrorNotice
      error={{ message: 'The API cannot be reached', requestId: 'req_01k' }}
      onRetry={() => undefined}
    />
  ),
  'nothing yet': () => (
    <Empty title="There are no orders yet">An order appears here when a member checks out.</Empty>
  ),
}
