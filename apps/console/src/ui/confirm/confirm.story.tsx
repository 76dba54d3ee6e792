import { useState } from 'react'
import { Button } from '../button/button.tsx'
import type { Stories } from '../story.ts'
import { Confirm } from './confirm.tsx'

interface Props {
  readonly risk: 'plain' | 'verb' | { readonly name: string }
  readonly fault?: string
}

function Asked({ risk, fault }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="danger" onPress={() => setOpen(true)}>
        Delete
      </Button>
      {isOpen && (
        <Confirm
          title="Delete the plan “Gold”?"
          verb="Delete"
          risk={risk}
          act={async () => {
            if (fault !== undefined) throw new Error(fault)
          }}
          onClose={() => setOpen(false)}
        >
          412 members are on it. They keep what they have paid for.
        </Confirm>
      )}
    </>
  )
}

export const stories: Stories = {
  'a question': () => <Asked risk="plain" />,
  'the verb is typed': () => <Asked risk="verb" />,
  'the name is typed': () => <Asked risk={{ name: 'Gold' }} />,
  'the API refuses': () => <Asked risk="plain" fault="The plan has members" />,
}
