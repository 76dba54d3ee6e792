import { Button } from '../button/button.tsx'
import type { Stories } from '../story.ts'
import { doLater, offerUndo } from './undo.ts'

const refuse = async () => {
  throw new Error('The API cannot be reached')
}

export const stories: Stories = {
  'done at once': () => (
    <Button onPress={() => offerUndo({ text: '“Spam” was removed', undo: async () => undefined })}>
      Remove
    </Button>
  ),
  'done after 8 seconds': () => (
    <Button onPress={() => doLater({ text: 'The mail is sent', run: async () => undefined })}>Send</Button>
  ),
  'refused when it is taken back': () => (
    <Button onPress={() => offerUndo({ text: '“Spam” was removed', undo: refuse })}>Remove</Button>
  ),
}
