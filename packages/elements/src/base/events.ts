import type {
  Bill,
  Feedback,
  Member,
  Payment,
  Subscription,
  WrittenComment,
} from '../../../sdk/src/guildhall.ts'

/** What the elements tell the page, by the name behind `guildhall:`. The value is the `detail` of the event. */
export interface Told {
  readonly login: { readonly member: Member }
  /** `deleted` where the member has deleted the account. */
  readonly logout: { readonly deleted?: true }
  readonly profile: Record<never, never>
  readonly subscription: { readonly subscription: Subscription }
  /** The page takes the payment on, with the script of its provider and `payment.client_secret`. */
  readonly payment: { readonly bill: Bill; readonly payment: Payment }
  /** After `preventDefault()` the page does what follows. */
  readonly submit: {
    readonly submission: {
      readonly id: string
      readonly success_message?: string
      readonly redirect_url?: string
    }
  }
  readonly feedback: { readonly feedback: Feedback }
  readonly 'login-required': Record<never, never>
  readonly comment: { readonly comment: WrittenComment }
}

/** The events of the elements, for `addEventListener` of an element, of what is around it, and of the document. */
export type GuildhallEvents = { [Name in keyof Told as `guildhall:${Name}`]: CustomEvent<Told[Name]> }

declare global {
  interface HTMLElementEventMap extends GuildhallEvents {}
  interface DocumentEventMap extends GuildhallEvents {}
  interface WindowEventMap extends GuildhallEvents {}
}
