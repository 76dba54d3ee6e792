/** Builds the command into one file, with the client library in it. `node build.ts [folder]`, by default dist. */
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** The name of the file, and of the command. */
const NAME = 'guildhall-cli'

/** @param folder where the file goes; one under its name is replaced. @returns its path */
export async function buildCommand(folder: string): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('./src/main.ts', import.meta.url)),
    platform: 'node',
  })
  const file = join(folder, `${NAME}.js`)
  await bundle.write({ file, format: 'es' })
  await bundle.close()
  await chmod(file, 0o755)
  return file
}

if (import.meta.main) {
  const [folder = fileURLToPath(new URL('./dist', import.meta.url))] = process.argv.slice(2)
  await buildCommand(folder)
}
