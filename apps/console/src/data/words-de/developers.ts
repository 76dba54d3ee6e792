/** German: developers: keys, webhooks, requests and mails. */
export const DEVELOPERS: Readonly<Record<string, string>> = {}
