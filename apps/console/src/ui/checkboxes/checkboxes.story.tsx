import { useState } from 'react'
import type { Stories } from '../story.ts'
import { Checkboxes } from './checkboxes.tsx'

function Some({ error }: { readonly error?: string }) {
  const [chosen, setChosen] = useState<readonly string[]>(['read:plans'])
  return (
    <Checkboxes
      label="Permissions"
      description="What the key may do"
      options={['read:members', 'write:members', 'read:plans', 'write:plans']}
      chosen={chosen}
      onChange={setChosen}
      error={error}
    />
  )
}

export const stories: Stories = {
  'one is chosen': () => <Some />,
  refused: () => <Some error="At least two are needed" />,
}
