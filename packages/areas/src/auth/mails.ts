import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

const Link = Type.String({ description: 'The link to the page' })
const Code = Type.String({
  description: 'Six digits, for people who cannot open the link on the device where they log in',
})

const example = { link: 'https://api.example.com/auth/continue?token=…', code: '123456' }

export const verifyEmail = defineMail({
  name: 'verify_email',
  description: 'Somebody signed up, or asked for this mail again',
  values: Type.Object({ link: Link, code: Code }),
  texts: {
    subject: 'Confirm your email address for {{project}}',
    heading: 'Confirm your email address',
    body: 'Please confirm that {{address}} is your address. The link and the code work once, for 15 minutes.\n\nIf you did not sign up with {{project}}, you can ignore this mail.',
    action: 'Confirm this address',
  },
  example,
})

export const accountExists = defineMail({
  name: 'account_exists',
  description: 'Somebody signed up with the address of a member',
  values: Type.Object({}),
  texts: {
    subject: 'You have an account with {{project}}',
    heading: 'You already have an account',
    body: 'Somebody, perhaps you, signed up to {{project}} with {{address}}. You already have an account: log in as usual, or set a new password if you have forgotten yours.\n\nIf this was not you, you can ignore this mail: nothing has changed.',
  },
  example: {},
})

export const magicLink = defineMail({
  name: 'magic_link',
  description: 'Somebody wants to log in without a password',
  values: Type.Object({ link: Link, code: Code }),
  texts: {
    subject: 'Log in to {{project}}',
    heading: 'Log in',
    body: 'Log in to {{project}} with this link or with the code. Both work once, for 15 minutes.\n\nIf this was not you, you can ignore this mail: nobody can log in without it.',
    action: 'Log in',
  },
  example,
})

export const loginCode = defineMail({
  name: 'login_code',
  description:
    'Somebody wants to log in without a password, and the project does not have exactly one URL for a link',
  values: Type.Object({ code: Code }),
  texts: {
    subject: 'Your code to log in to {{project}}',
    heading: 'Log in',
    body: 'Log in to {{project}} with this code. It works once, for 15 minutes.\n\nIf this was not you, you can ignore this mail: nobody can log in without it.',
  },
  example: { code: example.code },
})

export const resetPassword = defineMail({
  name: 'reset_password',
  description: 'Somebody has forgotten their password',
  values: Type.Object({ link: Link, code: Code }),
  texts: {
    subject: 'Set a new password for {{project}}',
    heading: 'Set a new password',
    body: 'Set a new password with this link or with the code. Both work once, for 15 minutes.\n\nIf this was not you, you can ignore this mail: your password stays as it is.',
    action: 'Set a new password',
  },
  example,
})

export const confirmNewEmail = defineMail({
  name: 'confirm_new_email',
  description: 'A member has a new address; the mail is sent to the new address',
  values: Type.Object({ link: Link, code: Code }),
  texts: {
    subject: 'Confirm your new email address for {{project}}',
    heading: 'Confirm your new address',
    body: 'Please confirm that {{address}} is your new address. The link and the code work once, for 15 minutes.\n\nIf this was not you, you can ignore this mail: nothing changes.',
    action: 'Confirm this address',
  },
  example,
})

export const invitation = defineMail({
  name: 'invitation',
  description: 'Somebody is invited to become a member',
  values: Type.Object({ link: Link, code: Code }),
  texts: {
    subject: 'You are invited to {{project}}',
    heading: 'You are invited',
    body: '{{project}} invites you to become a member. Accept with this link or with the code.\n\nIf you do not want to become a member, you can ignore this mail.',
    action: 'Accept the invitation',
  },
  example,
})

export const invitationAccepted = defineMail({
  name: 'invitation_accepted',
  description: 'A member who was created by an operator has accepted the invitation',
  values: Type.Object({}),
  texts: {
    subject: 'You have accepted the invitation to {{project}}',
    heading: 'Your account is ready',
    body: 'The invitation to {{project}} that was sent to {{address}} was accepted. You can use your account now.\n\nIf this was not you, set a new password and tell us.',
  },
  example: {},
})

export const emailChanged = defineMail({
  name: 'email_changed',
  description: 'The address of a member has changed; the mail is sent to the old address',
  values: Type.Object({ new_email: Type.String() }),
  texts: {
    subject: 'Your email address for {{project}} has changed',
    heading: 'Your address has changed',
    body: 'Your account with {{project}} now has the address {{new_email}}. Mails are no longer sent to {{address}}.\n\nIf this was not you, please tell us.',
  },
  example: { new_email: 'ada@example.org' },
})

export const passwordChanged = defineMail({
  name: 'password_changed',
  description: 'The password of a member has changed',
  values: Type.Object({}),
  texts: {
    subject: 'Your password for {{project}} has changed',
    heading: 'Your password has changed',
    body: 'The password of your account with {{project}} was changed. You were logged out everywhere else.\n\nIf this was not you, set a new password and tell us.',
  },
  example: {},
})

export const passkeyAdded = defineMail({
  name: 'passkey_added',
  description: 'A member has a new passkey',
  values: Type.Object({ passkey: Type.String() }),
  texts: {
    subject: 'A passkey was added to your account with {{project}}',
    heading: 'You have a new passkey',
    body: 'The passkey “{{passkey}}” was added to your account with {{project}}. Everybody who has this passkey can log in.\n\nIf this was not you, remove it, set a new password and tell us.',
  },
  example: { passkey: 'Laptop' },
})

export const accountDeleted = defineMail({
  name: 'account_deleted',
  description: 'A member has deleted their own account',
  values: Type.Object({ date: Type.String({ description: 'The day on which the data is erased' }) }),
  texts: {
    subject: 'Your account with {{project}} was deleted',
    heading: 'Your account was deleted',
    body: 'Your account with {{project}} was deleted, and you were logged out everywhere. A subscription has ended. Your personal data is erased on {{date}}.\n\nIf you want your account back, or if this was not you, please tell us before that day.',
  },
  example: { date: 'March 31, 2027' },
})

export const factorsReset = defineMail({
  name: 'factors_reset',
  description: 'An operator has removed the second factors and passkeys of a member',
  values: Type.Object({}),
  texts: {
    subject: 'Second factors were removed from your account with {{project}}',
    heading: 'Your second factors were removed',
    body: 'Authenticator apps, recovery codes and passkeys were removed from your account with {{project}}, and you were logged out everywhere. Log in without them, and set them up again.\n\nIf you did not ask for this, please tell us.',
  },
  example: {},
})

export const operatorLoggedIn = defineMail({
  name: 'operator_logged_in',
  description: 'Somebody of the team has logged in as the member for 15 minutes',
  values: Type.Object({}),
  texts: {
    subject: 'The team of {{project}} has logged in to your account',
    heading: 'Somebody of the team has logged in to your account',
    body: 'Somebody of the team of {{project}} has logged in to your account {{address}} to help you. The log-in lasts 15 minutes. Nobody of the team can change your password, your address, your second factors or your cards with it, or buy anything, and every log-in is recorded.\n\nIf you did not ask for help, please write to the team.',
  },
  example: {},
})
