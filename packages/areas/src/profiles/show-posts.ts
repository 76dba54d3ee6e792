import type { FastifyRequest } from 'fastify'
import { showingFiles } from '#areas/storage/service.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import type { LinkConfig } from './people.ts'
import { showingPeople } from './show-people.ts'

/** Puts members and the files of posts into answers: `include=author` and `include=attachments`. Made once, where routes are. */
export function showingPosts(config: LinkConfig): ReturnType<typeof showingPeople> {
  const files = showingFiles(config)
  const people = showingPeople(config)
  return {
    show: async <T extends object>(request: FastifyRequest, answer: T) =>
      people.show(request, await files.show(request, answer)),
    showIn: async <T extends object>(ctx: Context, request: FastifyRequest, answer: T) =>
      people.showIn(ctx, request, await files.showIn(ctx, request, answer)),
    showMembers: async <T extends object>(data: ProjectData, answer: T) =>
      people.showMembers(data, await files.showAll(data, answer)),
  }
}
