/**
 * What `npm pack` does before it packs: builds the console, and gives the lock file the name under which npm ships it. The archive is
 * unpacked and started with `npm start`, as a checkout is; nothing has to be built there.
 */
import { copyFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildConsole } from './console/build.ts'

const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))

await buildConsole()
await copyFile(path('package-lock.json'), path('npm-shrinkwrap.json'))
