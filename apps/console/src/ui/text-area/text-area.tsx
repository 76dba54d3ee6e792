import { FieldError } from 'react-aria-components/FieldError'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea'
import { TextField as AriaTextField } from 'react-aria-components/TextField'
import styles from '../text-field/text-field.module.css'
import own from './text-area.module.css'

interface Props {
  readonly label: string
  readonly name: string
  readonly defaultValue?: string
  /** With `onChange`: the screen keeps what is typed. */
  readonly value?: string
  readonly onChange?: (value: string) => void
  readonly description?: string | undefined
  readonly rows?: number
  /** A text of a program, such as JSON. */
  readonly isCode?: boolean
  readonly maxLength?: number
  readonly isRequired?: boolean
  readonly autoFocus?: boolean
  /** Why the server refused the value. */
  readonly error?: string | undefined
}

/** The height of a line, and of what is above and below the lines, in rem. */
const LINE_REM = 1.41
const PADDING_REM = 1.125

/** A text of several lines. */
export function TextArea({ label, description, error, rows = 4, isCode = false, ...props }: Props) {
  return (
    <AriaTextField
      {...props}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={styles.field}
    >
      <Label className={styles.label}>{label}</Label>
      <AriaTextArea
        rows={rows}
        dir={isCode ? 'ltr' : 'auto'}
        spellCheck={!isCode}
        style={{ minHeight: `${rows * LINE_REM + PADDING_REM}rem` }}
        className={`${styles.input} ${own.area} ${isCode ? own.code : ''}`}
      />
      {description !== undefined && (
        <Text slot="description" className={styles.description}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error}>{error}</FieldError>
    </AriaTextField>
  )
}
