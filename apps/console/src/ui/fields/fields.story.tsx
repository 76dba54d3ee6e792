import type { Stories } from '../story.ts'
import { Fields } from './fields.tsx'

export const stories: Stories = {
  'with a long value and none': () => (
    <Fields
      fields={[
        ['Name', 'Ada Lovelace'],
        ['Address', `https://example.com/${'long/'.repeat(40)}`],
        ['Plan', null],
      ]}
    />
  ),
}
