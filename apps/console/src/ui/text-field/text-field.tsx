import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextField as AriaTextField } from 'react-aria-components/TextField'
import styles from './text-field.module.css'

interface Props {
  readonly label: string
  readonly name: string
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'datetime-local' | 'date' | 'color'
  readonly defaultValue?: string
  /** With `onChange`: the screen keeps what is typed. */
  readonly value?: string
  readonly onChange?: (value: string) => void
  readonly description?: string | undefined
  readonly autoComplete?: string
  readonly inputMode?: 'numeric' | 'decimal'
  readonly isRequired?: boolean
  readonly autoFocus?: boolean
  /** Why the server refused the value. */
  readonly error?: string | undefined
}

export function TextField({ label, description, error, ...props }: Props) {
  return (
    <AriaTextField
      {...props}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={styles.field}
    >
      <Label className={styles.label}>{label}</Label>
      <Input className={styles.input} />
      {description !== undefined && (
        <Text slot="description" className={styles.description}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error}>{error}</FieldError>
    </AriaTextField>
  )
}
