// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const mailSettingsUpdate: FormOperation = {
  name: "mail.settings.update",
  summary: "Change the mail settings",
  takesIfMatch: true,
  fields: [
    {"name":"sender_name","type":"text","min":1,"max":80,"nullable":true},
    {"name":"reply_to","type":"text","format":"email","max":254,"nullable":true},
    {"name":"accent_color","type":"text","min":7,"max":7,"nullable":true},
    {"name":"background_color","type":"text","min":7,"max":7,"nullable":true},
    {"name":"footer","type":"text","max":1000,"nullable":true},
    {"name":"operator_addresses","type":"list","item":{"name":"","type":"text","format":"email","max":254},"max":20},
    {"name":"operator_sessions_mailed","type":"boolean"},
  ],
}

export const mailTemplatesUpdate: FormOperation = {
  name: "mail.templates.update",
  summary: "Change the texts of mails",
  takesIfMatch: true,
  fields: [
    {"name":"account_deleted","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"account_exists","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"confirm_new_email","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"email_changed","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"factors_reset","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"invitation","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"invitation_accepted","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"login_code","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"magic_link","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"operator_logged_in","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"passkey_added","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"password_changed","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"reset_password","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"verify_email","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"subscription_bill_due","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"subscription_bill_overdue","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"subscription_receipt","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"subscription_bill_reduced","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"subscription_payment_failed","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"subscription_renewal_notice","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"subscription_canceled","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"subscription_trial_ending","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"data_ready","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"member_suspended","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"notification_digest","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true},{"name":"action","type":"text","min":1,"max":80,"nullable":true}],"nullable":true},
    {"name":"order_receipt","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"order_refund","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"order_shipped","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"webhook_endpoint_disabled","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
    {"name":"webhook_endpoint_failing","type":"object","fields":[{"name":"subject","type":"text","min":1,"max":200,"nullable":true},{"name":"heading","type":"text","max":200,"nullable":true},{"name":"body","type":"text","max":10000,"nullable":true}],"nullable":true},
  ],
}

export const mailPreview: FormOperation = {
  name: "mail.preview",
  summary: "Preview a mail",
  fields: [
    {"name":"template","type":"text","words":["account_deleted","account_exists","confirm_new_email","email_changed","factors_reset","invitation","invitation_accepted","login_code","magic_link","operator_logged_in","passkey_added","password_changed","reset_password","verify_email","subscription_bill_due","subscription_bill_overdue","subscription_receipt","subscription_bill_reduced","subscription_payment_failed","subscription_renewal_notice","subscription_canceled","subscription_trial_ending","data_ready","member_suspended","notification_digest","order_receipt","order_refund","order_shipped","webhook_endpoint_disabled","webhook_endpoint_failing"],"required":true},
    {"name":"subject","type":"text","min":1,"max":200},
    {"name":"heading","type":"text","max":200},
    {"name":"body","type":"text","max":10000},
    {"name":"action","type":"text","min":1,"max":80},
  ],
}
