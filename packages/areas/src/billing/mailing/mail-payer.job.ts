import { type Static, Type } from 'typebox'
import { makeSendMail, type SendMail } from '#areas/mail/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { nullable, oneOf } from '#platform/http/envelope.ts'
import { toId } from '#platform/ids.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { withParameter } from '#platform/values/redirect-url.ts'
import { type BillRow, getBill } from '../bills/queries.ts'
import { billId } from '../ids.ts'
import {
  billDueMail,
  billOverdueMail,
  billReceiptMail,
  billReducedMail,
  paymentFailedMail,
  subscriptionCanceledMail,
} from '../mails.ts'
import { findPayer } from './queries.ts'
import { amountText, dateText, linesText } from './words.ts'

/** Mails to payers about a bill. */
const BILL_MAILS = ['payment_failed', 'due', 'overdue', 'reduced', 'ended', 'receipt'] as const
export type BillMail = (typeof BILL_MAILS)[number]

/** The mail shows the bill as it was when the mail was asked for, so values that may change are handed over. */
const payload = Type.Object({
  mail: oneOf(BILL_MAILS),
  bill_id: Type.String(),
  total_minor: Type.Integer(),
  due_at: Type.String(),
  /** When it is tried again, or when the subscription ends. */
  then_at: nullable(Type.String()),
})

/** Mails the payer of a bill. Members who were deleted get none. */
export const mailPayer = defineJob({
  name: 'billing.mail-payer',
  lane: 'mail',
  payload,
  attempts: 5,
  run: (run, input) => {
    const sendMail = makeSendMail(run.deps.config)
    return run.record(async (ctx) => {
      const bill = await getBill(ctx, { id: input.bill_id })
      const { plan_id, description, kind } = planLineOf(bill)
      const payer = await findPayer(ctx, { member: bill.member_id, account: bill.account_id, plan: plan_id })
      if (payer === undefined) return
      const to = { address: payer.email, name: payer.full_name }
      // A line of a whole period has the plan's name as it was then.
      const plan = kind === 'period' ? description : (payer.plan ?? description)
      SEND[input.mail](ctx, sendMail, to, wordsOf(bill, input, { ...payer, plan }))
    })
  },
})

/** The line that says what a bill is for: the last one that charges for a plan. */
const planLineOf = ({ lines }: BillRow) =>
  lines.findLast(({ plan_id, amount_minor }) => plan_id !== null && amount_minor >= 0) ??
  lines[0] ?? { plan_id: null, description: '', kind: 'period' }

interface Payer {
  readonly plan: string
  readonly timezone: string
  readonly instructions: string | null
  readonly billing_url: string | null
}

/** What mails say of a bill. A bill that was reduced since has other lines by now, so that none are shown. */
function wordsOf(bill: BillRow, input: Static<typeof payload>, payer: Payer) {
  const { plan, timezone, instructions, billing_url } = payer
  const day = (at: string) => dateText(at, timezone)
  const sum = bill.lines.reduce((total, line) => total + line.amount_minor, 0)
  return {
    plan,
    number: String(bill.number),
    total: amountText(input.total_minor, bill.currency),
    lines: sum === input.total_minor ? linesText(bill.lines, bill.currency, timezone) : '',
    due: day(input.due_at),
    next: day(input.then_at ?? input.due_at),
    paid: day(bill.paid_at ?? input.due_at),
    instructions: instructions ?? '',
    link: billing_url === null ? {} : { link: withParameter(billing_url, 'bill_id', toId(billId, bill.id)) },
  }
}

type Words = ReturnType<typeof wordsOf>
type To = { readonly address: string; readonly name: string }

const SEND: Readonly<Record<BillMail, (ctx: Context, sendMail: SendMail, to: To, words: Words) => void>> = {
  payment_failed: (ctx, sendMail, to, { plan, number, total, due, next, link }) =>
    sendMail(ctx, paymentFailedMail, {
      to,
      values: { plan, number, amount: total, date: due, retry_date: next, ...link },
    }),
  due: (ctx, sendMail, to, { plan, number, lines, total, due, instructions, link }) =>
    sendMail(ctx, billDueMail, {
      to,
      values: { plan, number, lines, total, date: due, instructions, ...link },
    }),
  overdue: (ctx, sendMail, to, { plan, number, total, due, next, instructions, link }) =>
    sendMail(ctx, billOverdueMail, {
      to,
      values: { plan, number, total, date: due, end_date: next, instructions, ...link },
    }),
  reduced: (ctx, sendMail, to, { plan, number, lines, total, instructions, link }) =>
    sendMail(ctx, billReducedMail, { to, values: { plan, number, lines, total, instructions, ...link } }),
  ended: (ctx, sendMail, to, { plan, number, total, due, link }) =>
    sendMail(ctx, subscriptionCanceledMail, {
      to,
      values: { plan, number, amount: total, date: due, ...link },
    }),
  receipt: (ctx, sendMail, to, { plan, number, lines, total, paid }) =>
    sendMail(ctx, billReceiptMail, { to, values: { plan, number, lines, total, date: paid } }),
}
