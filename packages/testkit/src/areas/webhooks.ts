import { expect } from 'vitest'
import type { Delivery, DeliveryDetail } from '#areas/webhooks/log/schema.ts'
import type { Endpoint } from '#areas/webhooks/schema.ts'
import type { Side } from '../factories.ts'

/** The envelope of most answers. */
export type Data<T> = { readonly data: T }

/** What tests look at of an error. */
export interface Fault {
  readonly code: string
  readonly details?: readonly { readonly field: string; readonly rule: string }[]
}

/** Registers an endpoint over the API: all events, to nobody, unless stated otherwise. */
export async function registerEndpoint(side: Side, input: Record<string, unknown> = {}): Promise<Endpoint> {
  const { status, body } = await side.admin.post<Data<Endpoint>>('/webhooks', {
    url: 'https://example.com/hooks',
    events: ['*'],
    ...input,
  })
  expect(status).toBe(201)
  return body.data
}

/** Asks for a test delivery; nobody sends it unless a worker runs. */
export async function sendTest(side: Side, endpointId: string): Promise<Delivery> {
  const { body } = await side.admin.post<Data<Delivery>>(`/webhooks/${endpointId}/test`)
  return body.data
}

/** What an endpoint's deliveries are verified with. */
export async function secretOf(side: Side, endpointId: string): Promise<string> {
  const { body } = await side.admin.get<Data<{ secret: string }>>(`/webhooks/${endpointId}/secret`)
  return body.data.secret
}

/** An endpoint's deliveries, the newest event first. */
export async function deliveriesOf(side: Side, endpointId: string, query = ''): Promise<Delivery[]> {
  const { body } = await side.admin.get<Data<Delivery[]>>(`/webhooks/${endpointId}/deliveries${query}`)
  return body.data
}

/** A delivery with its attempts. */
export async function detailOf(side: Side, deliveryId: string): Promise<DeliveryDetail> {
  const { body } = await side.admin.get<Data<DeliveryDetail>>(`/webhooks/deliveries/${deliveryId}`)
  return body.data
}
