import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isReadOnly } from '../../db/pg-errors.ts'
import { ApiError, forbidden, invalidParameters, notFound } from '../../errors.ts'
import { withSentNames } from '../member-names.ts'
import { validationError } from '../validation/validation-error.ts'
import { pathNotFound } from './route-hints.ts'

/**
 * Answers every error in the same shape. An error that is no ApiError is a bug: it is logged, and the client gets a 500
 * without details.
 */
export function handleError(
  error: FastifyError | ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return sendError(knownError(error, request), request, reply)
}

/** The error that the client sees. Others are logged. */
function knownError(error: FastifyError | ApiError, request: FastifyRequest): ApiError {
  const known =
    error instanceof ApiError ? error : isReadOnly(error) ? noWrites(error) : translate(error, request)
  if (known === undefined || known.cause !== undefined) {
    const level = known === undefined || (known.status >= 500 && !isOfServers(known)) ? 'error' : 'debug'
    request.log[level]({ err: known?.cause ?? error }, 'request failed')
  }
  return known ?? new ApiError(500, 'INTERNAL_ERROR', 'Something went wrong on our side: try again')
}

/**
 * Whether an error is of a server that did not do its part. An outage has one for each request, so the reason is in the line of the
 * request, without a stack.
 */
export const isOfServers = ({ status }: ApiError): boolean => status >= 502 && status <= 504

const noWrites = (cause: unknown) =>
  new ApiError(503, 'UNAVAILABLE', 'The database takes no writes now: try again', {
    cause,
    headers: { 'retry-after': '1' },
  })

/** Answers an error. */
export const sendError = (error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.serializer(JSON.stringify).send(describeError(error, request, reply))

/**
 * Turns a reply that is being sent into that of an error: Fastify takes no second error for an answer that already is
 * one. @returns its body
 */
export const replaceByError = (error: unknown, request: FastifyRequest, reply: FastifyReply): string => {
  for (const header of ['etag', 'content-length']) reply.removeHeader(header)
  return JSON.stringify(describeError(knownError(error as FastifyError, request), request, reply))
}

/** Sets status and headers. @returns the body */
function describeError(fault: ApiError, request: FastifyRequest, reply: FastifyReply): object {
  const error = withSentNames(fault, request)
  request.failure = error
  if (error.headers) reply.headers(error.headers)
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  reply.code(error.status).type('application/json; charset=utf-8')
  return {
    success: false,
    error: error.message,
    code: error.code,
    request_id: request.id,
    ...(error.reason !== undefined && { reason: error.reason }),
    ...(error.limit !== undefined && { limit: error.limit }),
    ...(error.what !== undefined && { what: error.what }),
    ...(error.until !== undefined && { until: error.until }),
    ...(error.details && error.details.length > 0 ? { details: error.details } : {}),
  }
}

/** Unknown paths get the same answer as missing resources, with a hint where a similar path exists. */
export function handleNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendError(pathNotFound(request, request.server.routeHints), request, reply)
}

const badRequest = (code: string, message: string) => new ApiError(400, code, message)

/** 400. @param wanted the type that the route takes */
export const unsupportedType = (wanted = 'application/json') =>
  badRequest('UNSUPPORTED_CONTENT_TYPE', `Send the body as Content-Type: ${wanted}`)

/** Fastify's own errors, by their codes. */
function translate(error: FastifyError, request: FastifyRequest): ApiError | undefined {
  if (error.validation)
    return validationError(error.validation, error.validationContext, request.body === undefined)
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedType(request.routeOptions.schema?.consumes?.[0])
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError(413, 'PAYLOAD_TOO_LARGE', 'The request body is larger than 1 MiB')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return badRequest('INVALID_JSON', 'The size of the request body differs from its Content-Length')
    case 'FST_ERR_BAD_URL':
      return invalidParameters([
        { field: 'path', rule: 'encoding', message: 'is not valid percent-encoding' },
      ])
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound('Resource', error)
    case 'FST_ERR_REQUEST_ABORTED':
      return badRequest('INVALID_JSON', 'The request ended before its body did')
  }
  return error.statusCode === 403 ? forbidden(error.message) : undefined
}
