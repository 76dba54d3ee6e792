import { usePlans } from '../../data/plan-names.ts'
import { t } from '../../data/words.ts'
import styles from '../checkboxes/checkboxes.module.css'
import type { ControlProps } from '../schema-form/controls.tsx'

interface Props {
  readonly label: string
  readonly description?: string
  /** Their ids. */
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
  /** Why the server refused the choice. */
  readonly error?: string | undefined
}

/** Some plans of the project. */
function PlanChoice({ label, description, chosen, onChange, error }: Props) {
  const { data: plans } = usePlans()
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>{label}</legend>
      <p className={styles.description}>{description}</p>
      <div className={styles.options}>
        {plans?.map(({ id, name }) => (
          <label key={id} className={styles.option}>
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
              }
            />
            <bdi>{name}</bdi>
          </label>
        ))}
        {plans?.length === 0 && <p>{t('The project has no plans')}</p>}
      </div>
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** `PlanChoice` as the control of a form's field. */
export const planControl = ({ label, description = '', value, onChange, error }: ControlProps) => (
  <PlanChoice {...{ label, description, error, onChange }} chosen={value as readonly string[]} />
)
