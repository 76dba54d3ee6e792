import type { Stories } from '../story.ts'
import { Pagination } from './pagination.tsx'

const go = () => undefined

export const stories: Stories = {
  'in the middle': () => <Pagination page={2} hasNext total={100_000} onPage={go} />,
  'the only page, not counted': () => <Pagination page={1} hasNext={false} total={undefined} onPage={go} />,
}
