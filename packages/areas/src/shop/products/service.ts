import { courseId } from '#areas/lms/ids.ts'
import { hasCourse } from '#areas/lms/service.ts'
import { attachFile, releaseFiles } from '#areas/storage/service.ts'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { toMinor } from '#platform/values/money.ts'
import { productCreated, productDeleted } from '../events.ts'
import { productId } from '../ids.ts'
import { toMilli } from '../money/order-amounts.ts'
import { findPricedVariant } from '../variants/queries.ts'
import { forgetProduct, refreshSearch } from './found.ts'
import {
  type GrantColumns,
  insertProduct,
  insertWhereSlugIsFree,
  lockProduct,
  noGrant,
  type ProductRow,
  type ProductValues,
  patchProduct,
  readyFiles,
  removeProduct,
  toFullProduct,
} from './queries.ts'
import type { FullProduct, NewProduct, ProductChanges } from './schema.ts'

/** @throws ApiError 422 SLUG_TAKEN; for a price with too many decimals, a file, plan or course that does not exist */
export async function createProduct(ctx: Context, input: NewProduct): Promise<FullProduct> {
  const id = newUuid()
  const values = valuesOf(id, input)
  await mustHaveCourse(ctx, values)
  await keepImages(ctx, id, [], values.images)
  const named = input.slug === undefined ? await insertWhereSlugIsFree(ctx, values) : undefined
  const slug = input.slug ?? withTail(values.slug)
  const product = named ?? (await insertProduct(ctx, { ...values, slug }))
  refreshSearch(ctx, values)
  emit(ctx, productCreated, product)
  return product
}

/** Changes what is given and nothing else. @throws ApiError 404; 422 as when it is created */
export async function updateProduct(ctx: Context, id: string, changes: ProductChanges): Promise<FullProduct> {
  const before = await lockProduct(ctx, { id })
  await assertAmountsIn(ctx, before, changes)
  const values = valuesOf(id, { ...toFullProduct(before), ...changes })
  if (changes.grants !== undefined) await mustHaveCourse(ctx, values)
  if (changes.images !== undefined) await keepImages(ctx, id, before.images, values.images)
  refreshSearch(ctx, values)
  return patchProduct(ctx, { ...values, changes, ifMatch: undefined })
}

/**
 * Another currency needs other amounts: none is converted, or kept as a number of something else.
 * @throws ApiError 422 where the price is not sent with the currency, or variants have prices of their own
 */
async function assertAmountsIn(
  ctx: Context,
  { id, currency: before }: ProductRow,
  { currency = before, price }: ProductChanges,
): Promise<void> {
  if (currency === before) return
  if (price === undefined)
    throw invalidField('price', 'required', `is required with another currency: it is in ${before} now`)
  if (await findPricedVariant(ctx, { product: id }))
    throw invalidField(
      'currency',
      'variants',
      `cannot change while variants have their own prices in ${before}: set these prices to null first`,
    )
}

/** Nobody sees or buys it any more; orders keep what they say of it. @throws ApiError 404 */
export async function deleteProduct(ctx: Context, id: string): Promise<void> {
  const before = await removeProduct(ctx, { id })
  forgetProduct(ctx, id)
  await releaseFiles(ctx, { kind: 'product', id })
  const deleted = { id: toId(productId, id) }
  audit(ctx, { action: 'product.delete', target: deleted.id, before })
  emit(ctx, productDeleted, deleted)
}

/** @throws ApiError 422 for a course that does not exist */
async function mustHaveCourse(ctx: Context, { grant_course_id: course }: GrantColumns): Promise<void> {
  if (course !== null && !(await hasCourse(ctx, course))) throw noGrant('course_id')
}

/** Attaches the files of a product in place of those that it had. @throws ApiError 422 for one that does not exist */
async function keepImages(ctx: Context, id: string, before: readonly string[], images: readonly string[]) {
  const ready = new Set(await readyFiles(ctx, { ids: images }))
  const missing = images.findIndex((file) => !ready.has(file))
  if (missing !== -1) throw invalidField(`images[${missing}]`, 'exists', 'is not a file of this project')
  if (before.length > 0) await releaseFiles(ctx, { kind: 'product', id })
  for (const file of images) attachFile(ctx, file, { kind: 'product', id })
}

/** A product as it is stored. @throws ApiError 422 for fields that do not fit each other */
function valuesOf(id: string, input: NewProduct): ProductValues {
  const { name, price, slug = slugOf(name), description = '', category = '', currency = 'usd' } = input
  const { tax_percent = null, images = [], grants = null, reserve_hours = null, is_active = true } = input
  const price_minor = toMinor(price, currency)
  if (price_minor === undefined)
    throw invalidField('price', 'decimals', `has more decimals than ${currency} has`)
  return {
    ...{ id, name, slug, description, category, currency, price_minor, reserve_hours, is_active },
    tax_milli: tax_percent === null ? null : toMilli(tax_percent),
    images: fileUuids(images),
    ...toColumns(grants),
  }
}

const NOTHING: GrantColumns = {
  grant_plan_id: null,
  grant_features: [],
  grant_course_id: null,
  grant_days: null,
}

function toColumns(grants: NonNullable<ProductChanges['grants']> | null): GrantColumns {
  if (grants === null) return NOTHING
  const { plan_id, features = [], course_id, days } = grants
  if (plan_id === undefined && course_id === undefined && features.length === 0)
    throw invalidField(
      'grants',
      'required',
      'must name a plan, features or a course; null: the product grants nothing',
    )
  const plan = plan_id === undefined ? null : parseId('plan', plan_id)
  if (plan === undefined) throw noGrant('plan_id')
  const course = course_id === undefined ? null : parseId(courseId, course_id)
  if (course === undefined) throw noGrant('course_id')
  return { grant_plan_id: plan, grant_features: features, grant_course_id: course, grant_days: days ?? null }
}

const fileUuids = (ids: readonly string[]): string[] =>
  ids.map((id, i) => {
    const uuid = parseId('file', id)
    if (uuid === undefined) throw invalidField(`images[${i}]`, 'exists', 'is not a file of this project')
    return uuid
  })

/** A name as a slug. */
function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g)
  return (words ?? ['product']).join('-').slice(0, 70).replace(/-$/, '')
}

/** Another product has this slug, because two products may have one name. */
const withTail = (slug: string) => `${slug}-${newUuid().slice(-6)}`
