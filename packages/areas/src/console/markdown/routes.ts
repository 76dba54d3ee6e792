import { type Static, Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, strict } from '#platform/http/envelope.ts'
import { consoleProjectOf, operatorOf } from '#platform/http/server/console-request.ts'
import { MAX_MARKDOWN } from '#platform/markdown/markdown.ts'
import { ByProject } from '../schema.ts'

const MarkdownText = strict(
  {
    content: Type.String({
      maxLength: MAX_MARKDOWN,
      description: 'Markdown',
      examples: ['Take **two** needles.'],
    }),
  },
  { title: 'MarkdownText' },
)

const RenderedText = Type.Object(
  {
    content_html: Type.String({
      description: 'The text as HTML that is safe to show in any page',
      examples: ['<p>Take <strong>two</strong> needles.</p>'],
    }),
  },
  { title: 'RenderedText' },
)
type RenderedText = Static<typeof RenderedText>

/** Texts as readers will see them. */
export function markdownRoutes(api: Api, deps: AreaDeps): void {
  renderMarkdownRoute(api, deps)
}

function renderMarkdownRoute(api: Api, { markdown }: AreaDeps): void {
  api.post(
    '/projects/:id/markdown',
    {
      config: { access: { operator: 'viewer' } },
      schema: {
        tags: ['Texts'],
        operationId: 'renderMarkdown',
        summary: 'Preview a text',
        description: 'The text as lessons and articles show it. Nothing is stored.',
        params: ByProject,
        body: MarkdownText,
        response: { 200: envelope(RenderedText) },
      },
    },
    async (request): Promise<RenderedText> => {
      const writer = { projectId: consoleProjectOf(request).id, actor: operatorOf(request) }
      const { html } = await markdown.renderTyped(request.body.content, writer)
      return { content_html: html }
    },
  )
}
