/** Builds the elements for browsers: an entry for each, and chunks that they share. `node build.ts [folder]`, by default dist. */
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** The entries, by their names in the folder. */
export const ENTRIES = ['elements', 'login', 'account', 'form', 'feedback', 'comments'] as const

/** @param folder where the files go; what is there under the same names is replaced */
export async function buildElements(folder: string): Promise<void> {
  const source = (name: string) => fileURLToPath(new URL(`./src/${name}.ts`, import.meta.url))
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((name) => [name, source(name)])),
    platform: 'browser',
    plugins: [{ name: 'styles', transform: { filter: { id: /styles\.ts$/ }, handler: withoutSpaces } }],
    // The client library has none; an entry defines its element.
    treeshake: { moduleSideEffects: [{ test: /packages[\\/]sdk[\\/]/, sideEffects: false }] },
  })
  await bundle.write({
    dir: folder,
    format: 'es',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  await bundle.close()
}

/** Style sheets are texts, which the bundler leaves as they are. */
const withoutSpaces = (code: string): string =>
  code.replace(/`[^`]*`/g, (css) =>
    css
      .replace(/\s+/g, ' ')
      .replace(/ ?([{};]) ?/g, '$1')
      .replaceAll(';}', '}'),
  )

if (import.meta.main) {
  const [folder = fileURLToPath(new URL('./dist', import.meta.url))] = process.argv.slice(2)
  await buildElements(folder)
}
