import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, envelopeOf, Pagination } from '#platform/http/envelope.ts'
import { credentialOf, seesOwn } from '#platform/http/viewer.ts'
import { fromMinor } from '#platform/values/money.ts'
import { creditInsufficient } from '../errors.ts'
import { getMember, listBalances, listEntries } from './queries.ts'
import { ById, CreditBalance, CreditEntry, CreditQuery, MadeCreditEntry, NewCreditEntry } from './schema.ts'
import { createEntry } from './service.ts'

const tags = ['Bills']

export function creditRoutes(api: Api): void {
  getMemberCreditRoute(api)
  createCreditEntryRoute(api)
}

function getMemberCreditRoute(api: Api): void {
  api.get(
    '/members/:id/credit',
    {
      config: { access: { secret: 'read:plans', user: 'self' } },
      schema: {
        tags,
        operationId: 'getMemberCredit',
        summary: 'Get the credit of a member',
        description:
          'The answer has the balance in each currency, and the entries of the ledger: the newest entry comes first. Bills use credit before money. An entry never changes. It names its source or its use. A member’s token can ask only for its own member.',
        params: ById,
        querystring: CreditQuery,
        response: {
          200: envelopeOf({
            data: Type.Array(CreditEntry),
            pagination: Pagination,
            balances: Type.Array(CreditBalance, { description: 'The balances that are not zero' }),
          }),
        },
      },
    },
    async (request) => {
      const id = ownId(request)
      const { entries, balances } = await request.read({
        member: getMember({ id }),
        entries: listEntries({ ...request.query, member_id: id }),
        balances: listBalances({ member_id: id }),
      })
      return {
        data: [...entries.rows],
        pagination: entries.pagination,
        balances: balances.map(({ currency, amount_minor }) => ({
          currency,
          amount: fromMinor(amount_minor, currency),
        })),
      }
    },
  )
}

function createCreditEntryRoute(api: Api): void {
  api.post(
    '/members/:id/credit',
    {
      config: { access: { secret: 'write:plans' }, errors: [creditInsufficient] },
      schema: {
        tags,
        operationId: 'createCreditEntry',
        summary: 'Give a member credit, or take some',
        description:
          'An amount above zero gives credit: the next bills use it. An amount below zero takes credit, at most the balance of the member. The reason is kept in the ledger and in the audit log.',
        params: ById,
        body: NewCreditEntry,
        response: { 201: envelope(MadeCreditEntry) },
      },
    },
    async (request) => {
      const id = ownId(request)
      const { entry, balance } = await request.write((ctx) => createEntry(ctx, id, request.body))
      return { ...entry, balance }
    },
  )
}

function ownId(request: FastifyRequest & { params: { id: string } }): string {
  const { id } = request.params
  if (!seesOwn(credentialOf(request), id)) throw notFound('Member')
  return id
}
