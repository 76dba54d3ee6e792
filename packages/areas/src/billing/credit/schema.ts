import { type Static, Type } from 'typebox'
import { Currency, filledText, nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { pageParameters } from '#platform/http/page.ts'
import { LineId, RefundId } from '../bills/refunds/schema.ts'
import { BillId } from '../bills/schema.ts'
import { ENTRY_KINDS } from './ledger.ts'

const Amount = Type.Number({
  description:
    'An amount above zero is credit that the member got; an amount below zero is credit that was used, taken or is owed',
  examples: [5],
})
const Reason = filledText({
  maxLength: 500,
  description: 'Why an operator gave or took the credit',
  examples: ['The service was down on Monday'],
})

/** One entry of the ledger of credit. */
export const CreditEntry = Type.Object(
  {
    id: Type.String({
      description: 'The id of an entry',
      examples: ['credit_01jcq3k8f7e8qtk4m3hbw7rn2r'],
    }),
    member_id: MemberId,
    currency: Currency(),
    amount: Amount,
    kind: oneOf(ENTRY_KINDS, {
      description:
        '`operator`: given or taken with POST; `carried_over`: the balance before there was a ledger; `line`: time that was paid for and given up; `refund`: a bill was refunded to credit; `used`: a bill used it; `owed`: too small to be charged, so a later bill charges it; `billed`: what was owed is on a bill; `returned`: a bill ended unpaid, or was reduced, and gave back what it had used; `taken_back`: money that had become credit went back to its payer',
    }),
    bill_id: nullable({ ...BillId, description: 'The bill that made or used the credit' }),
    bill_line_id: nullable({ ...LineId, description: 'The paid line from which the credit comes' }),
    refund_id: nullable({ ...RefundId, description: 'The refund of a bill from which the credit comes' }),
    reason: nullable(Reason),
    by: Type.String({
      description: 'The actor who made the entry: `secret_key`, `member`, `operator` or `system`',
      examples: ['secret_key'],
    }),
    created_at: Timestamp(),
  },
  { title: 'CreditEntry' },
)

export const CreditBalance = Type.Object(
  {
    currency: Currency(),
    amount: Type.Number({
      description: 'The sum of all entries in this currency. Below zero: the next bill charges it',
      examples: [5],
    }),
  },
  { title: 'CreditBalance' },
)

/** An entry that was just made, with the balance after it. */
export const MadeCreditEntry = Type.Object(
  {
    ...CreditEntry.properties,
    balance: Type.Number({ description: 'The credit in this currency after the entry', examples: [5] }),
  },
  { title: 'MadeCreditEntry' },
)

export const NewCreditEntry = strict(
  {
    amount: Type.Number({
      minimum: -99_999_999,
      maximum: 99_999_999,
      description:
        'An amount above zero gives credit; an amount below zero takes credit, at most the balance of the member. Zero is refused',
      examples: [5],
    }),
    currency: Currency(),
    reason: Reason,
  },
  {
    title: 'NewCreditEntry',
    examples: [{ amount: 5, currency: 'eur', reason: 'The service was down on Monday' }],
  },
)
export type NewCreditEntry = Static<typeof NewCreditEntry>

export const ById = strict({ id: pathId('member', MemberId) })
export const CreditQuery = strict({
  ...pageParameters,
  currency: Type.Optional(Currency({ description: 'Only entries in this currency' })),
})
