import type { Stories } from '../story.ts'
import { TextField } from './text-field.tsx'

export const stories: Stories = {
  plain: () => <TextField label="Name" name="name" description="The full name" />,
  refused: () => <TextField label="Role" name="role" defaultValue="Not a role!" error="is no role" />,
}
