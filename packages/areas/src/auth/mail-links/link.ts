/** The path of the page that mails' links lead to, below the base URL. */
export const PAGE_PATH = '/auth/continue'

/** The link of a mail. It leads to a page of ours, and the button there does what the mail is for. */
export const linkTo = (baseUrl: string, token: string): string => `${baseUrl}${PAGE_PATH}?token=${token}`
