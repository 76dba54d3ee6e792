import type {
  Discount,
  ListDiscountsQuery,
  ListOrdersQuery,
  ListProductsQuery,
  ListStockMovesQuery,
  ProductInFull,
  Variant,
} from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'
import { numberedPage } from '../../data/numbered-page.ts'
import { type Read, readWithEtag } from '../../data/read.ts'

export const ORDER_STATES = ['pending_payment', 'paid', 'fulfilled', 'completed', 'canceled', 'refunded']

export const useOrders = () =>
  useList('orders', (client, query, signal) => client.orders.list(query as ListOrdersQuery, { signal }))

export function useOrder(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'orders', id],
    queryFn: ({ signal }) => client.shop.orders.get(id, undefined, { signal }),
  })
}

/** Products, which the API pages by cursors. Without `is_active` they are those that customers see. */
export function useProducts() {
  const { project, side } = useProject()
  return useList('products', (client, { page = 1, ...query }, signal) =>
    numberedPage([project, side, 'products', query], page, (cursor) =>
      client.shop.products.list({ ...query, cursor } as ListProductsQuery, { signal }),
    ),
  )
}

export type ReadProduct = Read<ProductInFull>

/** Reads one product anew. */
export function useReadProduct(id: string) {
  const { client } = useProject()
  return (signal?: AbortSignal): Promise<ReadProduct> =>
    readWithEtag((options) => client.shop.products.get(id, { ...options, signal }))
}

export function useProduct(id: string) {
  const { project, side } = useProject()
  const read = useReadProduct(id)
  return useQuery({ queryKey: [project, side, 'products', id], queryFn: ({ signal }) => read(signal) })
}

export type ReadVariant = Read<Variant>

/** Reads one variant anew. */
export function useReadVariant(id: string) {
  const { client } = useProject()
  return (signal?: AbortSignal): Promise<ReadVariant> =>
    readWithEtag((options) => client.shop.variants.get(id, { ...options, signal }))
}

export function useVariant(id: string) {
  const { project, side } = useProject()
  const read = useReadVariant(id)
  return useQuery({
    queryKey: [project, side, 'products', 'variant', id],
    queryFn: ({ signal }) => read(signal),
  })
}

export function useVariants(product: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'products', product, 'variants'],
    queryFn: ({ signal }) => client.shop.variants.list(product, { signal }),
  })
}

/** The ledger of the stock of a variant, the newest entry first. */
export function useStockMoves(variant: string) {
  const { project, side, client } = useProject()
  return useList(`products/stock/${variant}`, (_, { page = 1, limit }, signal) =>
    numberedPage([project, side, variant, limit], page, (cursor) =>
      client.shop.variants.stock.list(variant, { limit, cursor } as ListStockMovesQuery, { signal }),
    ),
  )
}

export const useDiscounts = () =>
  useList('discounts', (client, query, signal) =>
    client.shop.discounts.list(query as unknown as ListDiscountsQuery, { signal }),
  )

export type ReadDiscount = Read<Discount>

/** Reads one discount anew. */
export function useReadDiscount(id: string) {
  const { client } = useProject()
  return (signal?: AbortSignal): Promise<ReadDiscount> =>
    readWithEtag((options) => client.shop.discounts.get(id, { ...options, signal }))
}

export function useDiscount(id: string) {
  const { project, side } = useProject()
  const read = useReadDiscount(id)
  return useQuery({ queryKey: [project, side, 'discounts', id], queryFn: ({ signal }) => read(signal) })
}

/** What an act of the shop changes elsewhere. */
const TOUCHED = ['orders', 'products', 'discounts', 'members']

/** What shows the shop is read again after a change. */
export function useRefreshShop() {
  const { project, side } = useProject()
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [ofProject, ofSide, name] }) =>
        ofProject === project && ofSide === side && TOUCHED.includes(String(name).split('/')[0] ?? ''),
    })
}

/** An act on an order, a product or a discount; what shows it is read again. */
export function useShopAct<Input, Answer>(
  act: (input: Input) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) {
  const refresh = useRefreshShop()
  return useMutation({
    mutationFn: act,
    onSuccess: async (answer) => {
      onDone(answer)
      await refresh()
    },
  })
}
