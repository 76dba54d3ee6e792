import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { isolatedDeclarationSync } from 'rolldown/experimental'

// How pages are matched is part of the API's source, so the package is one bundle; its types are those of gate.ts.
const input = fileURLToPath(new URL('src/gate.ts', import.meta.url))
const folder = fileURLToPath(new URL('dist/', import.meta.url))

const bundle = await rolldown({ input })
await bundle.write({ file: `${folder}gate.js` })
await bundle.close()

const { code, errors } = isolatedDeclarationSync('gate.ts', await readFile(input, 'utf8'))
if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
await writeFile(`${folder}gate.d.ts`, code)
