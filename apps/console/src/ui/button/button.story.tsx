import type { Stories } from '../story.ts'
import { Button } from './button.tsx'

export const stories: Stories = {
  plain: () => <Button>Edit</Button>,
  primary: () => <Button kind="primary">Save</Button>,
  danger: () => <Button kind="danger">Delete</Button>,
  quiet: () => <Button kind="quiet">Cancel</Button>,
  disabled: () => <Button isDisabled>Edit</Button>,
  'under way': () => (
    <Button kind="primary" isPending>
      Save
    </Button>
  ),
}
