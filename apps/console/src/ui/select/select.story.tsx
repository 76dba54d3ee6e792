import { useState } from 'react'
import type { Stories } from '../story.ts'
import { Select } from './select.tsx'

function One({ error }: { readonly error?: string }) {
  const [value, setValue] = useState('a')
  return (
    <Select
      label="Plan"
      isLabelShown
      options={[
        { id: 'a', name: 'Gold' },
        { id: 'b', name: 'Jahresmitgliedschaft mit Zeitschriftenbezug' },
      ]}
      value={value}
      onChange={setValue}
      description="What the member pays for"
      error={error}
    />
  )
}

export const stories: Stories = { plain: () => <One />, refused: () => <One error="The plan is archived" /> }
