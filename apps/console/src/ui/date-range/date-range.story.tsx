import { useState } from 'react'
import type { Stories } from '../story.ts'
import { DateRange } from './date-range.tsx'
import { rangeOf } from './ranges.ts'

function Days({ start, end }: { readonly start?: string; readonly end?: string }) {
  const [range, setRange] = useState<{ start: string | undefined; end: string | undefined }>({ start, end })
  return <DateRange label="Created" {...range} onChange={setRange} />
}

export const stories: Stories = {
  always: () => <Days />,
  'a preset': () => <Days {...rangeOf('30', Date.now())} />,
  'days of one’s own': () => <Days start="2026-01-01" end="2026-02-03" />,
}
