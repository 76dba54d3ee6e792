import { Html, html } from '../../values/html.ts'

/** Languages whose samples are coloured. */
export type Language = 'sh' | 'js' | 'python' | 'json'

const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/
const NUMBER = /\b\d+(?:\.\d+)?\b/

/** The tokens of each language by kind, in the order in which they are tried. */
const TOKENS: Readonly<Record<Language, readonly (readonly [kind: string, pattern: RegExp])[]>> = {
  json: [
    ['key', /"(?:[^"\\]|\\.)*"(?=\s*:)/],
    ['string', STRING],
    ['word', /\b(?:true|false|null)\b/],
    ['number', /-?\b\d+(?:\.\d+)?\b/],
  ],
  js: [
    ['comment', /\/\/[^\n]*/],
    ['string', new RegExp(`${STRING.source}|\`(?:[^\`\\\\]|\\\\.)*\``)],
    [
      'word',
      /\b(?:await|async|const|let|for|of|if|else|return|import|from|new|export|default|function|true|false|null|try|catch|throw|class|extends)\b/,
    ],
    ['number', NUMBER],
  ],
  python: [
    ['comment', /#[^\n]*/],
    ['string', STRING],
    ['word', /\b(?:import|from|as|with|open|def|return|for|in|if|else|True|False|None|print)\b/],
    ['number', NUMBER],
  ],
  sh: [
    ['comment', /(?<=^|\s)#[^\n]*/],
    ['string', STRING],
    [
      'word',
      /(?<=^|[\s|(])(?:curl|node|npm|npx|echo|export|until|do|done|for|in|sleep|kill|printf|cat|grep)\b/,
    ],
    ['key', /\$\w+|\$\{\w+\}/],
    ['flag', /(?<=\s)--?[A-Za-z][\w-]*/],
  ],
}

const MATCHERS = Object.fromEntries(
  Object.entries(TOKENS).map(([language, tokens]) => [
    language,
    new RegExp(tokens.map(([kind, { source }]) => `(?<${kind}>${source})`).join('|'), 'gm'),
  ]),
)

const NAMES: Readonly<Record<string, Language>> = {
  sh: 'sh',
  bash: 'sh',
  js: 'js',
  ts: 'js',
  javascript: 'js',
  python: 'python',
  json: 'json',
}

/** Code with its tokens marked by classes, on the server: readers load no highlighter. */
export function highlight(code: string, language: string): Html {
  const matcher = MATCHERS[NAMES[language] ?? '']
  if (matcher === undefined) return html`${code}`
  const parts: Html[] = []
  let end = 0
  for (const match of code.matchAll(matcher)) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? ''
    parts.push(html`${code.slice(end, match.index)}<i class="${kind[0] ?? ''}">${match[0]}</i>`)
    end = match.index + match[0].length
  }
  parts.push(html`${code.slice(end)}`)
  return new Html(parts.map(({ text }) => text).join(''))
}
