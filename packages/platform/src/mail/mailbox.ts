/** Somebody who receives mail. */
export interface Mailbox {
  /** May be empty. */
  readonly name: string
  readonly address: string
}

/** What could end an address, or a header, and begin another: of the forms that standards allow, the ones in use. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,:;"@]+@[^\s\p{Cc}<>()\\,;"@]+$/u
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** Whether mail can be addressed to somebody: an address in the usual form, and a name of one line. */
export const isMailable = ({ name, address }: Mailbox): boolean =>
  ADDRESS.test(address) && address.length <= 254 && !CONTROL.test(name)
