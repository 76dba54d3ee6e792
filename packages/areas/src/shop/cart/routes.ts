import { whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, deletedOther, envelope } from '#platform/http/envelope.ts'
import {
  cartFull,
  currencyMismatch,
  discountInvalid,
  outOfStock,
  removedFromCourse,
  variantRequired,
} from '../errors.ts'
import { cartId, itemId } from '../ids.ts'
import { AddedItem, ByItem, Cart, CartItem, ItemChange, NewCode, NewItem } from './schema.ts'
import {
  addToCart,
  applyDiscount,
  clearCart,
  removeCartItem,
  removeDiscount,
  showCart,
  updateCartItem,
} from './service.ts'

const CartDeleted = deletedOther('cart_01jcq3k8f7e8qtk4m3hbw7rn2d')
const read = { access: { secret: 'read:commerce', user: 'self' }, actingMember: 'header' } as const
const write = { access: { secret: 'write:commerce', user: 'self' }, actingMember: 'header' } as const

export function cartRoutes(api: Api): void {
  getCartRoute(api)
  addToCartRoute(api)
  emptyCartRoute(api)
  updateCartItemRoute(api)
  removeCartItemRoute(api)
  applyDiscountRoute(api)
  dropDiscountRoute(api)
}

function getCartRoute(api: Api): void {
  api.get(
    '/shop/cart',
    {
      config: read,
      schema: {
        operationId: 'getCart',
        summary: 'Get the cart',
        description:
          'The cart has the present prices. `faults` lists the changes since items were added. After a price change, read the cart once; then checkout works. A discount that is no longer valid is reported once and removed.',
        response: { 200: envelope(Cart) },
      },
    },
    async (request) => {
      const who = whoActs(request)
      return showCart(request, who)
    },
  )
}

function addToCartRoute(api: Api): void {
  api.post(
    '/shop/cart',
    {
      config: {
        oneTransaction: true,
        ...write,
        errors: [outOfStock, variantRequired, currencyMismatch, cartFull, removedFromCourse],
      },
      schema: {
        operationId: 'addToCart',
        sdk: 'shop.cart.items.create',
        summary: 'Add a product to the cart',
        description:
          'A cart has one line for each product and variant; if the product is in the cart already, the quantity is added. A product with one variant needs no `variant_id`. Nothing is reserved before checkout.',
        body: NewItem,
        response: { 201: AddedItem },
      },
    },
    async (request) => {
      const who = whoActs(request)
      const item = await request.write((ctx) => addToCart(ctx, who, request.body))
      return { item }
    },
  )
}

function emptyCartRoute(api: Api): void {
  api.delete(
    '/shop/cart',
    {
      config: write,
      schema: {
        operationId: 'emptyCart',
        summary: 'Empty the cart',
        description: 'The discount is removed too. The answer has the id of the cart.',
        response: { 200: CartDeleted },
      },
    },
    async (request) => {
      const who = whoActs(request)
      return deleted(cartId, await request.write((ctx) => clearCart(ctx, who)))
    },
  )
}

function updateCartItemRoute(api: Api): void {
  api.patch(
    '/shop/cart/:item_id',
    {
      config: { ...write, errors: [outOfStock] },
      schema: {
        operationId: 'updateCartItem',
        sdk: 'shop.cart.items.update',
        summary: 'Change the quantity of a cart item',
        params: ByItem,
        body: ItemChange,
        response: { 200: envelope(CartItem) },
      },
    },
    async (request) => {
      const who = whoActs(request)
      const { item_id: id } = request.params
      return request.write((ctx) => updateCartItem(ctx, who, id, request.body.quantity))
    },
  )
}

function removeCartItemRoute(api: Api): void {
  api.delete(
    '/shop/cart/:item_id',
    {
      config: write,
      schema: {
        operationId: 'removeCartItem',
        sdk: 'shop.cart.items.delete',
        summary: 'Remove an item from the cart',
        params: ByItem,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const who = whoActs(request)
      const { item_id: id } = request.params
      await request.write((ctx) => removeCartItem(ctx, who, id))
      return deleted(itemId, id)
    },
  )
}

function applyDiscountRoute(api: Api): void {
  api.post(
    '/shop/cart/discount',
    {
      config: { oneTransaction: true, ...write, errors: [discountInvalid] },
      schema: {
        operationId: 'applyDiscount',
        sdk: 'shop.cart.discount.apply',
        summary: 'Apply a discount to the cart',
        description:
          'The code replaces the present one: a cart has one discount at a time. The answer is the cart.',
        body: NewCode,
        response: { 200: envelope(Cart) },
      },
    },
    async (request) => {
      const who = whoActs(request)
      return request.write((ctx) => applyDiscount(ctx, who, request.body.code))
    },
  )
}

function dropDiscountRoute(api: Api): void {
  api.delete(
    '/shop/cart/discount',
    {
      config: write,
      schema: {
        operationId: 'dropDiscount',
        summary: 'Remove the discount from the cart',
        description: 'A cart without a discount gets the same answer. The answer has the id of the cart.',
        response: { 200: CartDeleted },
      },
    },
    async (request) => {
      const who = whoActs(request)
      return deleted(cartId, await request.write((ctx) => removeDiscount(ctx, who)))
    },
  )
}
