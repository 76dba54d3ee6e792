import { useState } from 'react'
import type { Stories } from '../story.ts'
import { MoneyField } from './money-field.tsx'

function Price({ currency, error }: { readonly currency: string; readonly error?: string }) {
  const [value, setValue] = useState('12,50')
  return (
    <MoneyField
      label="Price"
      name="price"
      value={value}
      onChange={setValue}
      currency={currency}
      error={error}
    />
  )
}

export const stories: Stories = {
  euros: () => <Price currency="eur" />,
  refused: () => <Price currency="jpy" error="Yen have no decimals" />,
}
