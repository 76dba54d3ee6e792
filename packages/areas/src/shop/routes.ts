import { makeSendMail } from '#areas/mail/service.ts'
import type { Routes } from '#platform/http/api.ts'
import { cartRoutes } from './cart/routes.ts'
import { checkoutRoutes } from './checkout/routes.ts'
import { discountRoutes } from './discounts/routes.ts'
import { OrderNotices } from './orders/notices.ts'
import { orderRoutes } from './orders/routes.ts'
import { orderVerbRoutes } from './orders/verb-routes.ts'
import { productRoutes } from './products/routes.ts'
import { variantRoutes } from './variants/routes.ts'

export const shopRoutes: Routes = (api, { config }) => {
  const notices = new OrderNotices(makeSendMail(config))
  productRoutes(api)
  variantRoutes(api)
  discountRoutes(api)
  cartRoutes(api)
  checkoutRoutes(api, notices)
  orderRoutes(api)
  orderVerbRoutes(api, notices)
}
