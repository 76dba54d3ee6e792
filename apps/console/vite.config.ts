import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const sdk = new URL('../../packages/sdk/src/guildhall.ts', import.meta.url).pathname
// Forms are previewed by what shows them on sites.
const preview = new URL('../../packages/elements/src/form/preview.ts', import.meta.url).pathname
const qr = new URL('../../packages/elements/src/account/qr.ts', import.meta.url).pathname

/** The API sends assets as they are compressed here, so no request waits for the compression. */
const compressed = (): Plugin => ({
  name: 'compressed',
  async writeBundle({ dir = 'dist' }) {
    const folder = join(dir, 'assets')
    for (const name of await readdir(folder)) {
      if (/\.(?:br|gz)$/.test(name)) continue
      const bytes = await readFile(join(folder, name))
      await writeFile(join(folder, `${name}.br`), brotliCompressSync(bytes))
      await writeFile(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
})

/**
 * A browser loads six files at a time by HTTP/1.1, and each waits for a round trip: what is loaded first is one file, and so are the
 * parts that many screens share.
 */
const groups = [
  { name: 'first', tags: ['$initial' as const], priority: 2 },
  { name: 'parts', test: /\/(?:src\/(?:ui|data)|node_modules)\//, minShareCount: 20, priority: 1 },
]

export default defineConfig({
  base: '/console/',
  plugins: [optimizeLocales.vite({ locales: ['en-US', 'de-DE'] }), react(), compressed()],
  resolve: {
    alias: { '@guildhall/sdk': sdk, '@guildhall/elements/preview': preview, '@guildhall/elements/qr': qr },
  },
  // The API puts a nonce of its own into each answer in place of this word.
  html: { cspNonce: 'CSP_NONCE' },
  build: {
    ...{ target: 'es2023', modulePreload: { polyfill: false }, reportCompressedSize: false },
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: { proxy: { '/console/api': 'http://127.0.0.1:3000', '/api': 'http://127.0.0.1:3000' } },
})
