import { Button } from 'react-aria-components/Button'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import buttons from '../button/button.module.css'
import styles from './menu-button.module.css'

/** Something that can be done. */
export interface Act {
  readonly name: string
  /** It cannot be undone. */
  readonly isDanger?: boolean
  readonly onAct: () => void
}

/** A button that shows what else can be done. */
export function MenuButton({ name, acts }: { readonly name: string; readonly acts: readonly Act[] }) {
  return (
    <MenuTrigger>
      <Button
        className={`${buttons.button} ${buttons.plain}`}
        data-acts={JSON.stringify(acts.map((act) => act.name))}
      >
        {name} <span aria-hidden="true">▾</span>
      </Button>
      <Popover className={styles.popover} placement="bottom end">
        <Menu className={styles.menu}>
          {acts.map((act) => (
            <MenuItem
              key={act.name}
              id={act.name}
              onAction={act.onAct}
              className={`${styles.item} ${act.isDanger ? styles.danger : ''}`}
            >
              {act.name}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
