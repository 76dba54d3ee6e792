import sanitizeHtml, { type IOptions } from 'sanitize-html'

/** What a mention is called in HTML, so that a page can style it and find its member. */
export const MENTION_CLASS = 'mention'

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const BLOCKS = ['p', 'blockquote', 'pre', 'hr', 'ul', 'ol', 'li']
const TABLES = ['table', 'thead', 'tbody', 'tr', 'th', 'td']
const WORDS = ['a', 'br', 'code', 'del', 's', 'em', 'strong', 'span', 'img']

/** The one list of what content of members may contain, in every area. */
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
    // Whoever follows a link of a member is told nothing of the page, and search engines do not count it.
    a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow ugc noopener noreferrer' }),
    img: sanitizeHtml.simpleTransform('img', { loading: 'lazy' }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['src'],
}

/** Characters that turn the direction of what follows, so that a text reads as another than it is. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]|&#(?:823[4-8]|829[4-7]|x20(?:2[a-e]|6[6-9]));/gi

/** HTML that can be put into any page as it is: no scripts, no styles, no frames, no forms, and links of known schemes. */
export const sanitize = (html: string): string => sanitizeHtml(html, ALLOWED).replaceAll(OVERRIDES, '')
