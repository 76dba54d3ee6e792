import { usePlans } from '../../data/plan-names.ts'
import { t } from '../../data/words.ts'
import type { ControlProps } from '../schema-form/controls.tsx'
import { Select } from '../select/select.tsx'

/** One plan of the project, or none. In a `SchemaForm`: `controls={{ plan_id: (props) => <PlanSelect {...props} /> }}`. */
export function PlanSelect({
  label,
  value,
  onChange,
  description,
  error,
}: Pick<ControlProps, 'label' | 'value' | 'onChange' | 'description' | 'error'>) {
  const { data: plans = [] } = usePlans()
  const chosen = String(value ?? '')
  const isKnown = chosen === '' || plans.some(({ id }) => id === chosen)
  return (
    <Select
      {...{ label, description, error, onChange }}
      isLabelShown
      value={chosen}
      options={[
        { id: '', name: t('None') },
        ...(isKnown ? [] : [{ id: chosen, name: chosen }]),
        ...plans.map(({ id, name }) => ({ id, name })),
      ]}
    />
  )
}
