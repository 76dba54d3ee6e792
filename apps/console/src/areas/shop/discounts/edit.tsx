import type { Discount, DiscountChanges, NewDiscount } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../../../data/list-query.ts'
import { t } from '../../../data/words.ts'
import { shopDiscountsCreate, shopDiscountsUpdate } from '../../../forms.generated/shop.ts'
import { Confirm } from '../../../ui/confirm/confirm.tsx'
import type { FieldTexts } from '../../../ui/schema-form/field.tsx'
import { SchemaFormDialog } from '../../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../../ui/schema-form/use-schema-form.ts'
import { type ReadDiscount, useReadDiscount, useRefreshShop } from '../queries.ts'

function useTexts(): FieldTexts {
  const { project, side, client } = useProject()
  const { data: products = [] } = useQuery({
    queryKey: [project, side, 'products', 'names'],
    queryFn: async ({ signal }) => (await client.shop.products.list({ limit: 100 }, { signal })).data,
  })
  return {
    labels: {
      code: t('Code'),
      percent: t('Percent off'),
      amount: t('Or an amount off'),
      currency: t('Currency of the amount'),
      starts_at: t('Valid from'),
      ends_at: t('Valid until'),
      max_uses: t('Uses in all'),
      max_uses_per_member: t('Uses per member'),
      product_ids: t('Products'),
      'product_ids[]': t('Product'),
      is_active: t('Customers can use it'),
    },
    descriptions: {
      code: t('Upper and lower case are the same'),
      amount: t('A discount has a percentage or an amount, and not both'),
      max_uses: t('Empty: no limit'),
      max_uses_per_member: t('Empty: no limit'),
      product_ids: t('None: all products'),
    },
    controls: {
      amount: { money: ({ currency }) => String(currency ?? '') },
      'product_ids[]': { options: products.map(({ id, name }) => ({ id, name })) },
    },
  }
}

export function CreateDiscount({ onClose }: { readonly onClose: () => void }) {
  const { project, side, client } = useProject()
  const navigate = useNavigate()
  const refresh = useRefreshShop()
  const form = useSchemaForm<NewDiscount, Discount>({
    operation: shopDiscountsCreate,
    initial: { is_active: true },
    send: (body) => client.shop.discounts.create(body),
    onDone: async ({ id }) => {
      await refresh()
      await navigate({ to: '/$project/$side/discounts/$id', params: { project, side, id } })
    },
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('New discount')}
      verb={t('Create the discount')}
      onClose={onClose}
      {...useTexts()}
    />
  )
}

interface EditProps {
  readonly read: ReadDiscount
  readonly onClose: () => void
}

export function EditDiscount({ read, onClose }: EditProps) {
  const { client } = useProject()
  const refresh = useRefreshShop()
  const { id, code, used } = read.value
  const readDiscount = useReadDiscount(id)
  const form = useSchemaForm<DiscountChanges, Discount>({
    operation: shopDiscountsUpdate,
    read,
    readAgain: () => readDiscount(),
    of: id,
    send: (body, options) => client.shop.discounts.update(id, body, options),
    onDone: async () => {
      await refresh()
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Edit {name}', { name: code })}
      verb={t('Save')}
      onClose={onClose}
      {...useTexts()}
    >
      {used > 0 && (
        <p>{t('It was used {count} {count:time|times}. Orders keep what it took off.', { count: used })}</p>
      )}
    </SchemaFormDialog>
  )
}

export function DeleteDiscount({ read: { value, etag }, onClose }: EditProps) {
  const { id, code, used } = value
  const { project, side, client } = useProject()
  const navigate = useNavigate()
  const refresh = useRefreshShop()
  return (
    <Confirm
      title={t('Delete {name}?', { name: code })}
      verb={t('Delete the discount')}
      act={() => client.shop.discounts.delete(id, { ifMatch: etag })}
      onDone={async () => {
        await navigate({ to: '/$project/$side/discounts', params: { project, side } })
        await refresh()
      }}
      onClose={onClose}
    >
      <p>
        {t('Nobody can use it any more. {count} {count:order keeps|orders keep} what it took off.', {
          count: used,
        })}
      </p>
      <p>{t('This cannot be undone.')}</p>
    </Confirm>
  )
}
