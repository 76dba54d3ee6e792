import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { mapAnswer } from '#platform/db/query.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { forbidden, invalidParameters, notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { idFromFilter } from '#platform/ids.ts'
import { isStranger, toProfiles } from './people.ts'
import { findPeople, searchPeople } from './queries.ts'
import { ById, FindQuery, Profile } from './schema.ts'
import { findProfileSettings } from './settings.ts'

const read = { access: { secret: 'read:community', public: 'catalog', user: 'self' } } as const
const WHO = 'A public key needs a project that shows profiles to visitors.'

export function profileRoutes(api: Api, deps: AreaDeps): void {
  findProfilesRoute(api, deps)
  getProfileOfMemberRoute(api, deps)
}

function findProfilesRoute(api: Api, { config }: AreaDeps): void {
  api.get(
    '/profiles',
    {
      config: read,
      schema: {
        operationId: 'findProfiles',
        sdk: 'profiles.list',
        summary: 'Find profiles by ids or by the beginning of a name',
        description: `Send \`ids\` or \`search\`. With \`search\`, the answer has the first ten active members for the completion of mentions: their name, or its second or third word, starts with the text. Accents and case are ignored. ${WHO}`,
        querystring: FindQuery,
        response: { 200: envelope(Type.Array(Profile)) },
      },
    },
    async (request) => {
      const { ids = '', search = '' } = request.query
      const { rows } = await request.read({ shown: assertShown(request), rows: asked(ids, search) })
      return toProfiles(config, rows)
    },
  )
}

function getProfileOfMemberRoute(api: Api, { config }: AreaDeps): void {
  api.get(
    '/profiles/:id',
    {
      config: read,
      schema: {
        operationId: 'getProfileOfMember',
        summary: 'Get the profile of a member',
        description: `A deleted member is "Former member". ${WHO}`,
        params: ById,
        response: { 200: envelope(Profile) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { rows } = await request.read({ shown: assertShown(request), rows: findPeople({ ids: [id] }) })
      const [profile] = toProfiles(config, rows)
      if (profile === undefined) throw notFound('Member')
      return profile
    },
  )
}

/** @throws ApiError 403 for a visitor where the project shows members alone */
const assertShown = (request: FastifyRequest) =>
  mapAnswer(findProfileSettings(), ({ profiles_public: arePublic }) => {
    if (!arePublic && isStranger(request)) throw forbidden('This project shows profiles to members only')
  })

/** @throws ApiError 400 unless one of the two is sent */
function asked(ids: string, search: string) {
  const prefix = search.trim().replaceAll(/\s+/gu, ' ')
  if ((ids === '') === (search === ''))
    throw invalidParameters([
      { field: 'ids', rule: 'required', message: 'or search is required, and not both' },
    ])
  if (ids === '') {
    if ([...prefix].length < 2)
      throw invalidParameters([
        { field: 'search', rule: 'minLength', message: 'must have 2 characters or more' },
      ])
    return searchPeople({ prefix })
  }
  const wanted = [...new Set(ids.split(','))].map((id) => idFromFilter('member', 'ids', id))
  const places = new Map(wanted.map((id, place) => [id, place]))
  const placeOf = ({ id }: { id: string }) => places.get(id) ?? 0
  return mapAnswer(findPeople({ ids: wanted }), (rows) => rows.toSorted((a, b) => placeOf(a) - placeOf(b)))
}
