import type { Routes } from '#platform/http/api.ts'
import { billRoutes } from './bills/routes.ts'
import { creditRoutes } from './credit/routes.ts'
import { noticeRoutes } from './payment-accounts/notice-routes.ts'
import { paymentAccountRoutes } from './payment-accounts/routes.ts'
import { PaymentProviders } from './payments/ask-provider.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'
import { testClockRoutes } from './test-clock/routes.ts'

export const billingRoutes: Routes = (api, deps) => {
  const { config, log, catalogue } = deps
  const providers = new PaymentProviders({ config, log, handlers: catalogue.paymentHandlers })
  api.addHook('onClose', () => providers.close())
  subscriptionRoutes(api, providers)
  billRoutes(api, providers, catalogue.paymentHandlers)
  creditRoutes(api)
  paymentAccountRoutes(api, deps)
  noticeRoutes(api, deps, providers)
  testClockRoutes(api, deps)
}
