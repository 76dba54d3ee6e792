import { makePaymentProviders } from '#areas/billing/service.ts'
import type { Routes } from '#platform/http/api.ts'
import { cartRoutes } from './cart/routes.ts'
import { checkoutRoutes } from './checkout/routes.ts'
import { discountRoutes } from './discounts/routes.ts'
import { orderBulkRoutes } from './orders/bulk-routes.ts'
import { orderRoutes } from './orders/routes.ts'
import { orderVerbRoutes } from './orders/verb-routes.ts'
import { productRoutes } from './products/routes.ts'
import { variantRoutes } from './variants/routes.ts'

export const shopRoutes: Routes = (api, { config, log, catalogue }) => {
  const handlers = catalogue.paymentHandlers
  const providers = makePaymentProviders({ config, log, handlers })
  api.addHook('onClose', () => providers.close())
  productRoutes(api)
  variantRoutes(api)
  discountRoutes(api)
  cartRoutes(api)
  checkoutRoutes(api, providers)
  orderRoutes(api)
  orderVerbRoutes(api, { providers, handlers })
  orderBulkRoutes(api)
}
