import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { invalidField, invalidParameters } from '#platform/errors.ts'
import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, strict } from '#platform/http/envelope.ts'
import { credentialOf, viewerOf } from '#platform/http/viewer.ts'
import { newUuid } from '#platform/ids.ts'
import { findArticle } from '../articles/queries.ts'
import { ById } from '../schema.ts'
import { putVote, readOutcome, removeVote } from './queries.ts'

const config = {
  access: { secret: 'write:help', public: 'catalog', user: 'self' },
  actingMember: 'header',
} as const
const SessionId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Required with a public key: a random text that the browser keeps, so that it has one vote',
  examples: ['5f0c1c1e-5b1f-4a2b-9d0e-1c2b3a4d5e6f'],
})

const HelpVote = strict(
  {
    helpful: Type.Boolean({ description: 'True if the article helped', examples: [true] }),
    session_id: Type.Optional(SessionId),
  },
  { title: 'HelpVote', examples: [{ helpful: true }] },
)
const HelpVoteOutcome = Type.Object(
  {
    voted: Type.Boolean({ description: 'True if this reader has voted', examples: [true] }),
    vote_count: Type.Integer({ description: 'The number of votes', examples: [13] }),
    helpful_count: Type.Integer({
      description: 'The number of readers who found the article helpful',
      examples: [12],
    }),
    unhelpful_count: Type.Integer({
      description: 'The number of readers who did not find the article helpful',
      examples: [1],
    }),
  },
  { title: 'HelpVoteOutcome' },
)
type HelpVoteOutcome = Static<typeof HelpVoteOutcome>

export function helpVoteRoutes(api: Api): void {
  voteForArticleRoute(api)
  takeBackArticleVoteRoute(api)
}

function voteForArticleRoute(api: Api): void {
  api.put(
    '/help/articles/:id/vote',
    {
      config: { ...config, whileSuspended: 'refused' },
      schema: {
        operationId: 'voteForArticle',
        summary: 'Vote on whether an article helped',
        description: 'A reader has one vote; a new vote replaces it.',
        params: ById,
        body: HelpVote,
        response: { 200: envelope(HelpVoteOutcome) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { helpful, session_id } = request.body
      if (isVisitor(request) && session_id === undefined)
        throw invalidField('session_id', 'required', 'is required with a public key')
      return vote(request, { id, session: session_id, helpful })
    },
  )
}

function takeBackArticleVoteRoute(api: Api): void {
  api.delete(
    '/help/articles/:id/vote',
    {
      config,
      schema: {
        operationId: 'takeBackArticleVote',
        sdk: 'help.articles.unvote',
        summary: 'Remove a vote on an article',
        description: 'If there is no vote, nothing changes.',
        params: ById,
        querystring: strict({ session_id: Type.Optional(SessionId) }),
        response: { 200: envelope(HelpVoteOutcome) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { session_id } = request.query
      if (isVisitor(request) && session_id === undefined)
        throw invalidParameters([
          { field: 'session_id', rule: 'required', message: 'is required with a public key' },
        ])
      return vote(request, { id, session: session_id, helpful: undefined })
    },
  )
}

/** A public key votes for a visitor of the site. */
const isVisitor = (request: FastifyRequest) => {
  const { isKey, memberId } = credentialOf(request)
  return !isKey && memberId === null
}

interface Vote {
  readonly id: string
  readonly session: string | undefined
  /** Undefined takes the vote back. */
  readonly helpful: boolean | undefined
}

async function vote(request: FastifyRequest, { id, session, helpful }: Vote): Promise<HelpVoteOutcome> {
  // A key and a token vote for a member whatever session is named.
  const who = isVisitor(request) ? undefined : whoActs(request)
  return request.write(async (ctx) => {
    const viewer = await viewerOf(ctx, request)
    const article = findArticle(ctx, { id, viewer })
    // The member of a token is known by now; only the one whom a key names is looked up.
    const named = viewer.isKey ? actingMember(ctx, who) : undefined
    await article
    const member = viewer.memberId ?? (await named)?.id
    const voter =
      member === undefined
        ? { member_id: null, session_id: session ?? null }
        : { member_id: member, session_id: null }
    const vote = { article_id: id, ...voter }
    if (helpful === undefined) removeVote(ctx, vote)
    else putVote(member === undefined ? 'session_id' : 'member_id')(ctx, { id: newUuid(), helpful, ...vote })
    return readOutcome(ctx, vote)
  })
}
