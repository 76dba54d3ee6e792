import { useState } from 'react'
import type { Stories } from '../story.ts'
import { Checkbox } from './checkbox.tsx'

function One({ error }: { readonly error?: string }) {
  const [isChosen, setChosen] = useState(true)
  return (
    <Checkbox
      label="In the order of events"
      description="A delivery that fails delays the later ones"
      isChosen={isChosen}
      onChange={setChosen}
      error={error}
    />
  )
}

export const stories: Stories = {
  chosen: () => <One />,
  refused: () => <One error="Not with this payload" />,
}
