/** The language of our texts of mails, and of the amounts and dates in them: a BCP 47 tag. */
export const MAIL_LANGUAGE = 'en'
