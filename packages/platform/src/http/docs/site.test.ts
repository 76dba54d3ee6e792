import { describe, expect, test } from 'vitest'
import { defineError } from '../../define-error.ts'
import type { OpenApiDocument } from './reference/openapi-types.ts'
import { Site } from './site.ts'

const EVIL = `</code></pre><script>alert("1")</script><img src=x onerror='alert(2)'>`

/** A document whose every text is HTML that would run. */
const document: OpenApiDocument = {
  info: { version: '1', description: EVIL },
  tags: [{ name: 'Things', description: EVIL }],
  paths: {
    '/api/v1/things/{id}': {
      post: {
        operationId: 'makeThing',
        summary: EVIL,
        description: EVIL,
        tags: ['Things'],
        parameters: [{ name: EVIL, in: 'path', required: true, description: EVIL, example: EVIL }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { a: { type: 'string', description: EVIL, enum: [EVIL], default: EVIL } },
              },
              example: { a: EVIL, b: { c: [EVIL] } },
            },
          },
        },
        responses: {
          200: { description: EVIL, content: { 'text/plain': { example: EVIL } } },
          422: {
            content: {
              'application/json': {
                examples: { THING_REFUSED: { value: { error: EVIL, code: 'THING_REFUSED' } } },
              },
            },
          },
        },
      },
    },
  },
  webhooks: {
    'thing.made': {
      post: {
        description: EVIL,
        requestBody: { content: { 'application/json': { example: { data: EVIL } } } },
      },
    },
  },
}

const makeSite = (baseUrl = 'https://api.example.com') =>
  new Site({
    document,
    errors: [defineError({ code: 'THING_REFUSED', message: `${EVIL}: ${EVIL}` })],
    texts: {
      guideIndex: '# Guides',
      guides: new Map([['first', `# First\n\n${EVIL}\n\n\`\`\`js\n${EVIL}\n\`\`\``]]),
      limits: '# Limits',
      versions: '# Versions',
      changelog: '# Changelog',
      sdk: '# The client library',
    },
    baseUrl,
    assets: { style: '/docs/assets/a.css', script: '/docs/assets/a.js', theme: '/docs/assets/b.js' },
  })

describe('HTML in the texts of the document, in examples and in errors', () => {
  test('is shown as text on every page', () => {
    const site = makeSite()
    expect([...site.pages.keys()]).toEqual(
      expect.arrayContaining([
        '/docs/api/things/make-thing',
        '/docs/events/thing.made',
        '/docs/errors/THING_REFUSED',
        '/docs/guides/first',
      ]),
    )
    for (const path of site.pages.keys()) {
      const page = site.html(path) ?? ''
      expect([path, page.includes('<script>'), /<img/.test(page)]).toEqual([path, false, false])
      // What is in an attribute cannot leave it.
      expect([path, /<[^>]*\sonerror=/.test(page.replaceAll(/"[^"]*"/g, '""'))]).toEqual([path, false])
    }
    expect(site.html('/docs/errors/THING_REFUSED')).toContain('&lt;img')
  })

  test('is shown as text by the page that says that there is no such page', () => {
    expect(makeSite().missing(`/docs/${EVIL}`)).not.toContain('<script>')
  })
})

test('samples and twins name the address of the installation, with its path', () => {
  const site = makeSite('https://example.com/community')
  const page = site.html('/docs/api/things/make-thing')
  expect(page).toContain('https://example.com/community/api/v1/things/')
  expect(page).toContain('href="../../../docs/errors/THING_REFUSED"')
  expect(site.markdown('/docs/api/things/make-thing.md')).toContain(
    '(https://example.com/community/docs/errors/THING_REFUSED.md)',
  )
})
