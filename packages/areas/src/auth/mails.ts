import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

const Link = Type.String({ description: 'Leads to the page that does it' })
const Code = Type.String({ description: 'Six digits, for those who cannot open the link where they began' })

const example = { link: 'https://api.example.com/auth/continue?token=…', code: '123456' }

export const verifyEmail = defineMail({
  name: 'verify_email',
  description: 'Somebody signed up, or asked again for this mail',
  values: Type.Object({ link: Link, code: Code }),
  texts: {
    subject: 'Confirm your email address for {{project}}',
    heading: 'Confirm your email address',
    body: 'Please confirm that {{address}} is yours. The link and the code work once, for 15 minutes.\n\nIf you did not sign up with {{project}}, there is nothing to do.',
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
    heading: 'You have an account already',
    body: 'Somebody, perhaps you, signed up to {{project}} with {{address}}. You have an account already: log in as always, or set a new password if you have forgotten yours.\n\nIf this was not you, there is nothing to do: nothing has changed.',
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
    body: 'Log in to {{project}} with this link, or with the code. Both work once, for 15 minutes.\n\nIf this was not you, there is nothing to do: nobody gets in without this mail.',
    action: 'Log in',
  },
  example,
})

export const loginCode = defineMail({
  name: 'login_code',
  description:
    'Somebody wants to log in without a password, and there is no one URL that a link could lead to',
  values: Type.Object({ code: Code }),
  texts: {
    subject: 'Your code to log in to {{project}}',
    heading: 'Log in',
    body: 'Log in to {{project}} with this code. It works once, for 15 minutes.\n\nIf this was not you, there is nothing to do: nobody gets in without this mail.',
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
    body: 'Set a new password with this link, or with the code. Both work once, for 15 minutes.\n\nIf this was not you, there is nothing to do: your password stays as it is.',
    action: 'Set a new password',
  },
  example,
})

export const confirmNewEmail = defineMail({
  name: 'confirm_new_email',
  description: 'A member has a new address, which it is sent to',
  values: Type.Object({ link: Link, code: Code }),
  texts: {
    subject: 'Confirm your new email address for {{project}}',
    heading: 'Confirm your new address',
    body: 'Please confirm that {{address}} is your new address. The link and the code work once, for 15 minutes.\n\nIf this was not you, there is nothing to do: nothing changes.',
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
    body: '{{project}} invites you to become a member. Accept with this link, or with the code.\n\nIf you do not want to, there is nothing to do.',
    action: 'Accept the invitation',
  },
  example,
})

export const invitationAccepted = defineMail({
  name: 'invitation_accepted',
  description: 'A member who was made by an operator has accepted the invitation',
  values: Type.Object({}),
  texts: {
    subject: 'You have accepted the invitation to {{project}}',
    heading: 'Your account is set up',
    body: 'The invitation to {{project}} that was sent to {{address}} was accepted, and your account can be used from now on.\n\nIf this was not you, set a new password and tell us.',
  },
  example: {},
})

export const emailChanged = defineMail({
  name: 'email_changed',
  description: "A member's address has changed; it is sent to the one before",
  values: Type.Object({ new_email: Type.String() }),
  texts: {
    subject: 'Your email address for {{project}} has changed',
    heading: 'Your address has changed',
    body: 'Your account with {{project}} now has the address {{new_email}}; mails no longer come to {{address}}.\n\nIf this was not you, please tell us.',
  },
  example: { new_email: 'ada@example.org' },
})

export const passwordChanged = defineMail({
  name: 'password_changed',
  description: "A member's password has changed",
  values: Type.Object({}),
  texts: {
    subject: 'Your password for {{project}} has changed',
    heading: 'Your password has changed',
    body: 'The password of your account with {{project}} was changed, and you were logged out everywhere else.\n\nIf this was not you, set a new one and tell us.',
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
    body: 'The passkey “{{passkey}}” was added to your account with {{project}}: whoever holds it can log in.\n\nIf this was not you, remove it, set a new password and tell us.',
  },
  example: { passkey: 'Laptop' },
})

export const factorsReset = defineMail({
  name: 'factors_reset',
  description: "An operator has removed a member's second factors and passkeys",
  values: Type.Object({}),
  texts: {
    subject: 'Second factors were removed from your account with {{project}}',
    heading: 'Your second factors were removed',
    body: 'Authenticator apps, recovery codes and passkeys were removed from your account with {{project}}, and you were logged out everywhere. Log in as before you had them, and set them up anew.\n\nIf you did not ask for this, please tell us.',
  },
  example: {},
})
