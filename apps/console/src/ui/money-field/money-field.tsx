import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextField as AriaTextField } from 'react-aria-components/TextField'
import styles from '../text-field/text-field.module.css'
import own from './money-field.module.css'

interface Props {
  readonly label: string
  readonly name: string
  /** In major units, as it is typed: with a point or a comma. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** Its ISO code; empty where it is not chosen yet. */
  readonly currency: string
  readonly description?: string | undefined
  readonly isRequired?: boolean
  readonly autoFocus?: boolean
  /** Why the server refused the value. */
  readonly error?: string | undefined
}

/** An amount of money with its currency beside it. */
export function MoneyField({ label, currency, description, error, ...props }: Props) {
  return (
    <AriaTextField
      {...props}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={styles.field}
    >
      <Label className={styles.label}>{label}</Label>
      <div className={own.amount}>
        <Input className={styles.input} inputMode="decimal" />
        <span>{currency.toUpperCase()}</span>
      </div>
      {description !== undefined && (
        <Text slot="description" className={styles.description}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error}>{error}</FieldError>
    </AriaTextField>
  )
}
