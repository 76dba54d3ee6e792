/** Builds the elements for browsers: an entry for each, and chunks that they share. `node build.mjs [folder]`, by default dist. */
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ENTRIES = ['elements', 'login', 'account', 'form', 'feedback', 'comments', 'server']

/** Style sheets are texts, which the bundler leaves as they are. @param {string} code */
const withoutSpaces = (code) =>
  code.replace(/`[^`]*`/g, (css) =>
    css
      .replace(/\s+/g, ' ')
      .replace(/ ?([{};]) ?/g, '$1')
      .replaceAll(';}', '}'),
  )

const [folder = fileURLToPath(new URL('./dist', import.meta.url))] = process.argv.slice(2)
const bundle = await rolldown({
  input: Object.fromEntries(
    ENTRIES.map((name) => [name, fileURLToPath(new URL(`./src/${name}.ts`, import.meta.url))]),
  ),
  platform: 'browser',
  plugins: [{ name: 'styles', transform: { filter: { id: /styles?\.ts$/ }, handler: withoutSpaces } }],
  // The client library has none; an entry defines its element.
  treeshake: { moduleSideEffects: [{ test: /packages[\\/]sdk[\\/]/, sideEffects: false }] },
})
await bundle.write({
  ...{ dir: folder, format: 'es', minify: true },
  ...{ entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
})
await bundle.close()
