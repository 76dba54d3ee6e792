import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const sdk = new URL('../../packages/sdk/src/guildhall.ts', import.meta.url).pathname
// Forms are previewed by what shows them on sites.
const preview = new URL('../../packages/elements/src/form/preview.ts', import.meta.url).pathname

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

export default defineConfig({
  base: '/console/',
  plugins: [optimizeLocales.vite({ locales: ['en-US', 'de-DE'] }), react(), compressed()],
  resolve: { alias: { '@guildhall/sdk': sdk, '@guildhall/elements/preview': preview } },
  // The API puts a nonce of its own into each answer in place of this word.
  html: { cspNonce: 'CSP_NONCE' },
  build: { target: 'es2023', modulePreload: { polyfill: false }, reportCompressedSize: false },
  server: { proxy: { '/console/api': 'http://127.0.0.1:3000', '/api': 'http://127.0.0.1:3000' } },
})
