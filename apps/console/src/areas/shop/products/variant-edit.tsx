import type { NewVariant, ProductInFull, StockChange, Variant, VariantChanges } from '@guildhall/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useActKey } from '../../../data/act-key.ts'
import { useProject } from '../../../data/list-query.ts'
import { t } from '../../../data/words.ts'
import {
  shopVariantsCreate,
  shopVariantsStockCreate,
  shopVariantsUpdate,
} from '../../../forms.generated/shop.ts'
import { Confirm } from '../../../ui/confirm/confirm.tsx'
import type { FieldTexts } from '../../../ui/schema-form/field.tsx'
import { SchemaFormDialog } from '../../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../../ui/schema-form/use-schema-form.ts'
import { type ReadVariant, useReadVariant, useRefreshShop } from '../queries.ts'

const texts = ({ currency }: ProductInFull): FieldTexts => ({
  labels: {
    sku: t('Stock number'),
    options: t('Attributes'),
    price: t('Price'),
    is_active: t('It can be bought'),
    low_stock: t('Warn below'),
    stock: t('Stock'),
  },
  descriptions: {
    sku: t('Unique in the project'),
    options: t('What sets it apart, such as the colour'),
    price: t('Empty: the price of the product'),
    stock: t('Empty: it is not counted'),
  },
  controls: { price: { money: currency } },
})

interface CreateProps {
  readonly product: ProductInFull
  readonly onClose: () => void
}

export function CreateVariant({ product, onClose }: CreateProps) {
  const { client } = useProject()
  const refresh = useRefreshShop()
  const form = useSchemaForm<NewVariant, Variant>({
    operation: shopVariantsCreate,
    of: product.id,
    fields: ['name', 'sku', 'options', 'price', 'stock', 'low_stock', 'is_active'],
    initial: { is_active: true },
    send: (body) => client.shop.variants.create(product.id, body),
    onDone: async () => {
      await refresh()
      onClose()
    },
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('New variant of {name}', { name: product.name })}
      verb={t('Create the variant')}
      onClose={onClose}
      {...texts(product)}
    />
  )
}

interface EditProps extends CreateProps {
  readonly read: ReadVariant
}

export function EditVariant({ read, product, onClose }: EditProps) {
  const { client } = useProject()
  const refresh = useRefreshShop()
  const { id, name, sku } = read.value
  const readVariant = useReadVariant(id)
  const form = useSchemaForm<VariantChanges, Variant>({
    operation: shopVariantsUpdate,
    fields: ['name', 'sku', 'options', 'price', 'low_stock', 'is_active'],
    read,
    readAgain: () => readVariant(),
    of: id,
    merged: [],
    send: (body, options) => client.shop.variants.update(id, body, options),
    onDone: async () => {
      await refresh()
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Edit {name}', { name: name || sku || product.name })}
      verb={t('Save')}
      onClose={onClose}
      {...texts(product)}
    />
  )
}

interface VariantProps {
  readonly variant: Variant
  readonly onClose: () => void
}

/** Adds or takes pieces, and shows what there will be. */
export function ChangeStock({ variant, onClose }: VariantProps) {
  const { client } = useProject()
  const refresh = useRefreshShop()
  const keyOf = useActKey()
  const form = useSchemaForm<StockChange, Variant>({
    operation: shopVariantsStockCreate,
    of: variant.id,
    send: (body) => client.shop.variants.stock.create(variant.id, body, { idempotencyKey: keyOf(body) }),
    onDone: async () => {
      await refresh()
      onClose()
    },
  })
  const { delta } = form.body as Partial<StockChange>
  const before = variant.on_hand ?? 0
  return (
    <SchemaFormDialog
      form={form}
      title={t('Change the stock')}
      verb={t('Change the stock')}
      onClose={onClose}
      labels={{ delta: t('Pieces'), reason: t('Reason') }}
      descriptions={{ delta: t('How many come; below zero how many go') }}
    >
      <p aria-live="polite">
        {delta === undefined || !Number.isInteger(delta)
          ? t('There {count:is|are} {count} now.', { count: before })
          : t('There {before:is|are} {before} now, and {after} then.', { before, after: before + delta })}
      </p>
    </SchemaFormDialog>
  )
}

export function DeleteVariant({ read: { value: variant, etag }, onClose }: Omit<EditProps, 'product'>) {
  const { project, side, client } = useProject()
  const navigate = useNavigate()
  const refresh = useRefreshShop()
  return (
    <Confirm
      title={t('Delete {name}?', { name: variant.name || variant.sku || variant.id })}
      verb={t('Delete the variant')}
      act={() => client.shop.variants.delete(variant.id, { ifMatch: etag })}
      onDone={async () => {
        await navigate({
          to: '/$project/$side/products/$id',
          params: { project, side, id: variant.product_id },
        })
        await refresh()
      }}
      onClose={onClose}
    >
      <p>
        {t('Its stock of {count} {count:piece|pieces} is no longer kept. Orders keep what was bought.', {
          count: variant.on_hand ?? 0,
        })}
      </p>
      <p>{t('This cannot be undone.')}</p>
    </Confirm>
  )
}
