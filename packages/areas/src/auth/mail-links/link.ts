/** Where the page that mails' links lead to is, below the base URL. */
export const PAGE_PATH = '/auth/continue'

/** The link of a mail: to a page of ours, whose button does what the mail is for. */
export const linkTo = (baseUrl: string, token: string): string => `${baseUrl}${PAGE_PATH}?token=${token}`
