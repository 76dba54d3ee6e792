import type { Stories } from '../story.ts'
import { Tabs } from './tabs.tsx'

export const stories: Stories = {
  three: () => (
    <Tabs
      label="Member"
      tabs={['Overview', 'Orders', 'Sitzungen und Anmeldungen'].map((name) => ({
        id: name,
        name,
        content: () => <p>{name}</p>,
      }))}
    />
  ),
}
