import { useState } from 'react'
import type { FormField } from '../../data/form-fields.ts'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import styles from './schema-form.module.css'
import type { Conflict } from './use-schema-form.ts'
import { type DraftValue, isSame } from './values.ts'

interface Props {
  readonly conflict: Conflict
  readonly fields: readonly FormField[]
  /** What a field is called. */
  readonly labelOf: (field: FormField) => string
  /** A value of a field in words. */
  readonly textOf: (field: FormField, value: DraftValue | undefined) => string
}

/**
 * What somebody else has changed while the form was open. Where both have changed a field, the operator chooses; nothing is
 * chosen before.
 */
export function Merge({ conflict: { base, mine, theirs, changed, merge }, fields, labelOf, textOf }: Props) {
  const [choices, setChoices] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({})
  const shown = fields.filter(({ name }) => changed.includes(name))
  const isBoth = ({ name }: FormField) => !isSame(base[name], mine[name]) && !isSame(mine[name], theirs[name])
  const open = shown.filter((field) => isBoth(field) && choices[field.name] === undefined)
  return (
    <div role="alert" className={styles.conflict}>
      <p>{t('Somebody else has changed this. Nothing of yours is saved yet.')}</p>
      <ul>
        {shown.map((field) => (
          <li key={field.name}>
            {labelOf(field)}: <del>{textOf(field, base[field.name])}</del> →{' '}
            <ins>{textOf(field, theirs[field.name])}</ins>
            {isBoth(field) && (
              <Choice
                label={labelOf(field)}
                chosen={choices[field.name]}
                mine={textOf(field, mine[field.name])}
                theirs={textOf(field, theirs[field.name])}
                onChoose={(choice) => setChoices({ ...choices, [field.name]: choice })}
              />
            )}
          </li>
        ))}
      </ul>
      <Button
        isDisabled={open.length > 0}
        onPress={() => merge(Object.keys(choices).filter((name) => choices[name] === 'mine'))}
      >
        {t('Load the change')}
      </Button>
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly chosen: 'mine' | 'theirs' | undefined
  readonly mine: string
  readonly theirs: string
  readonly onChoose: (choice: 'mine' | 'theirs') => void
}

function Choice({ label, chosen, mine, theirs, onChoose }: ChoiceProps) {
  const choices = [
    ['mine', t('Keep mine: {value}', { value: mine })],
    ['theirs', t('Take theirs: {value}', { value: theirs })],
  ] as const
  return (
    <fieldset className={styles.group} aria-label={label}>
      {choices.map(([choice, text]) => (
        <label key={choice} className={styles.choice}>
          <input
            type="radio"
            name={`merge ${label}`}
            checked={chosen === choice}
            onChange={() => onChoose(choice)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  )
}
