import type { ReactNode } from 'react'

/** States of a part, shown on the page of stories by what they are called. A `<part>.story.tsx` exports them as `stories`. */
export type Stories = Readonly<Record<string, () => ReactNode>>
