import { useState } from 'react'
import type { Stories } from '../story.ts'
import { TextArea } from './text-area.tsx'

function Code() {
  const [value, setValue] = useState('{ "company": "Example" }')
  return <TextArea label="Metadata" name="metadata" value={value} onChange={setValue} isCode />
}

export const stories: Stories = { code: () => <Code /> }
