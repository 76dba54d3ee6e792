import sanitizeHtml, { type IOptions } from 'sanitize-html'
import { MENTION_CLASS } from './mentions.ts'

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const BLOCKS = ['p', 'blockquote', 'pre', 'hr', 'ul', 'ol', 'li']
const TABLES = ['table', 'thead', 'tbody', 'tr', 'th', 'td']
const WORDS = ['a', 'br', 'code', 'del', 's', 'em', 'strong', 'span', 'img']

/** The allowed HTML in content of members, in every area. */
const ALLOWED: IOptions = {
  allowedTags: [...HEADINGS, ...BLOCKS, ...TABLES, ...WORDS],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'loading'],
    ol: ['start'],
    th: ['align'],
    td: ['align'],
    span: ['data-member-id'],
  },
  allowedClasses: { code: [/^language-[\w+#.-]{1,40}$/], span: [MENTION_CLASS] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  enforceHtmlBoundary: false,
  parseStyleAttributes: false,
  transformTags: {
    // A page that is opened by a link of a member does not learn where the link was, and search engines ignore the
    // link.
    a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow ugc noopener noreferrer' }),
    img: sanitizeHtml.simpleTransform('img', { loading: 'lazy' }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['src'],
}

/** Characters that change the direction of the following text, so that a text looks like another one. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]|&#(?:823[4-8]|829[4-7]|x20(?:2[a-e]|6[6-9]));/gi

/** HTML that is safe in any page: no scripts, styles, frames or forms, and only links with known schemes. */
export const sanitize = (html: string): string => sanitizeHtml(html, ALLOWED).replaceAll(OVERRIDES, '')
