import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs'
import styles from './tabs.module.css'

interface Props {
  /** What the tabs are of, for who cannot see it. */
  readonly label: string
  readonly tabs: readonly {
    readonly id: string
    readonly name: string
    /** Called for the tab that is shown alone. */
    readonly content: () => ReactNode
  }[]
}

/** Parts of a screen, of which one is shown. The address has it, as `?tab=…`, without what a list of another tab has there. */
export function Tabs({ label, tabs }: Props) {
  const { tab } = useSearch({ strict: false }) as { readonly tab?: string }
  const navigate = useNavigate()
  const present = tabs.find(({ id }) => id === tab) ?? tabs[0]
  return (
    <AriaTabs
      selectedKey={present?.id ?? ''}
      onSelectionChange={(id) => {
        if (id === present?.id) return
        navigate({ to: '.', search: { tab: id } as never, replace: true }).catch(() => undefined)
      }}
      className={styles.tabs}
    >
      <TabList aria-label={label} className={styles.list}>
        {tabs.map(({ id, name }) => (
          <Tab key={id} id={id} className={styles.tab}>
            {name}
          </Tab>
        ))}
      </TabList>
      {present && (
        <TabPanel key={present.id} id={present.id} className={styles.panel}>
          {present.content()}
        </TabPanel>
      )}
    </AriaTabs>
  )
}
