import type { NewProduct, ProductChanges, ProductInFull } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../../../data/list-query.ts'
import { usePlanChoices } from '../../../data/plan-names.ts'
import { t } from '../../../data/words.ts'
import { shopProductsCreate, shopProductsUpdate } from '../../../forms.generated/shop.ts'
import { Confirm } from '../../../ui/confirm/confirm.tsx'
import { FormDialog } from '../../../ui/form-dialog/form-dialog.tsx'
import type { FieldTexts } from '../../../ui/schema-form/field.tsx'
import { SchemaFormDialog } from '../../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../../ui/schema-form/use-schema-form.ts'
import { type ReadProduct, useReadProduct, useRefreshShop, useShopAct } from '../queries.ts'

const MOST = 100

/** What a product can open, and its pictures, by their names. */
function useChoices() {
  const { project, side, client } = useProject()
  const { plans } = usePlanChoices()
  const { data } = useQuery({
    queryKey: [project, side, 'products', 'choices'],
    queryFn: async ({ signal }) => {
      const [courses, files] = await Promise.all([
        client.lms.courses.list({ limit: MOST }, { signal }),
        client.storage.files.list({ limit: MOST }, { signal }),
      ])
      return {
        courses: courses.data.map(({ id, title }) => ({ id, name: title })),
        images: files.data
          .filter(({ content_type: type }) => type.startsWith('image/'))
          .map(({ id, name }) => ({ id, name })),
      }
    },
  })
  return { plans, courses: data?.courses ?? [], images: data?.images ?? [] }
}

/** What the fields of a product are called, and how they are shown. */
function useTexts(): FieldTexts {
  const { plans, courses, images } = useChoices()
  return {
    labels: {
      slug: t('Short name'),
      price: t('Price, tax included'),
      tax_percent: t('Tax in percent'),
      images: t('Images'),
      'images[]': t('Image'),
      grants: t('What it opens'),
      'grants.plan_id': t('Plan'),
      'grants.features': t('Features'),
      'grants.course_id': t('Course'),
      'grants.days': t('Days a piece'),
      reserve_hours: t('Hours reserved without payment'),
      is_active: t('Customers can see and buy it'),
    },
    descriptions: {
      slug: t('Lower-case words with hyphens; made from the name where it is empty'),
      'grants.days': t('Empty: it does not end'),
      reserve_hours: t('Empty: as the payment account says'),
    },
    controls: {
      description: 'textarea',
      price: { money: ({ currency }) => String(currency ?? '') },
      'images[]': { options: images },
      'grants.plan_id': {
        options: plans.filter(({ status }) => status === 'active').map(({ id, name }) => ({ id, name })),
      },
      'grants.course_id': { options: courses },
    },
  }
}

const FIELDS = [
  ...['name', 'slug', 'description', 'category', 'price', 'currency', 'tax_percent', 'images', 'grants'],
  ...['reserve_hours', 'is_active'],
]

export function CreateProduct({ onClose }: { readonly onClose: () => void }) {
  const { project, side, client } = useProject()
  const navigate = useNavigate()
  const refresh = useRefreshShop()
  const form = useSchemaForm<NewProduct, ProductInFull>({
    operation: shopProductsCreate,
    fields: FIELDS,
    initial: { currency: 'eur', is_active: false },
    send: (body) => client.shop.products.create(body),
    onDone: async ({ id }) => {
      await refresh()
      await navigate({ to: '/$project/$side/products/$id', params: { project, side, id } })
    },
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('New product')}
      verb={t('Create the product')}
      onClose={onClose}
      {...useTexts()}
    />
  )
}

interface EditProps {
  readonly read: ReadProduct
  readonly onClose: () => void
}

export function EditProduct({ read, onClose }: EditProps) {
  const { client } = useProject()
  const refresh = useRefreshShop()
  const { id, name } = read.value
  const readProduct = useReadProduct(id)
  const form = useSchemaForm<ProductChanges, ProductInFull>({
    operation: shopProductsUpdate,
    fields: FIELDS,
    read,
    readAgain: () => readProduct(),
    of: id,
    merged: [],
    send: (body, options) => client.shop.products.update(id, body, options),
    onDone: async () => {
      await refresh()
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Edit {name}', { name })}
      verb={t('Save')}
      onClose={onClose}
      {...useTexts()}
    >
      {'price' in form.body && (
        <p>{t('Who has it in a cart sees the new price before buying. Orders keep theirs.')}</p>
      )}
    </SchemaFormDialog>
  )
}

/** Shows a product to customers, or takes it away from them. */
export function PublishProduct({ read, onClose }: EditProps) {
  const { client } = useProject()
  const { id, name, is_active: isActive } = read.value
  const act = useShopAct(
    () => client.shop.products.update(id, { is_active: !isActive }, { ifMatch: read.etag }),
    onClose,
  )
  return (
    <FormDialog
      title={isActive ? t('Take {name} off sale?', { name }) : t('Publish {name}?', { name })}
      verb={isActive ? t('Take off sale') : t('Publish')}
      isPending={act.isPending}
      error={act.error}
      onSubmit={() => act.mutate({})}
      onClose={onClose}
    >
      <p>
        {isActive
          ? t('Customers no longer see it, and cannot buy it. Orders stay as they are.')
          : t('Customers see it, and can buy it.')}
      </p>
    </FormDialog>
  )
}

export function DeleteProduct({ read: { value, etag }, onClose }: EditProps) {
  const { id, name } = value
  const { project, side, client } = useProject()
  const navigate = useNavigate()
  const refresh = useRefreshShop()
  return (
    <Confirm
      title={t('Delete {name}?', { name })}
      verb={t('Delete the product')}
      act={() => client.shop.products.delete(id, { ifMatch: etag })}
      onDone={async () => {
        await navigate({ to: '/$project/$side/products', params: { project, side } })
        await refresh()
      }}
      onClose={onClose}
    >
      <p>{t('It and its variants can no longer be bought. Orders keep what was bought.')}</p>
      <p>{t('This cannot be undone.')}</p>
    </Confirm>
  )
}
