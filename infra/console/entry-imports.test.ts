import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// What the first load of the console has: what its entry imports, without what is loaded when it is opened.

const SOURCES = fileURLToPath(new URL('../../apps/console/src/', import.meta.url))
const STATIC = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm

/** Libraries of the first load. Another one costs everybody its bytes at each first visit. */
const LIBRARIES = [
  ...['@guildhall/sdk', '@tanstack/react-query', '@tanstack/react-router'],
  ...['react', 'react-aria-components/Button', 'react-dom/client'],
]
/** The router, the session and the shell, the data that they ask for, and the parts in which they are drawn. */
const FIRST = [
  /^main\.tsx$/,
  /^app\/(?:alone|not-found|router|session|shell)\.tsx$/,
  /^app\/(?:menu|query-client)\.ts$/,
  /^app\/palette\/open-palette\.tsx$/,
  /^app\/screens\/\w+\.ts$/,
  /^data\/(?!words-|pseudo)[\w-]+\.ts$/,
  /^ui\/(?:as-code\/code-button|button\/button|notice\/notice|page\/page|select\/select)\.tsx$/,
  /^ui\/undo-toast\/undo(?:-toasts)?\.tsx?$/,
]

async function importsOf(entry: string): Promise<{ readonly files: string[]; readonly libraries: string[] }> {
  const files = new Set<string>()
  const libraries = new Set<string>()
  const visit = async (path: string): Promise<void> => {
    if (files.has(path)) return
    files.add(path)
    for (const [, name = ''] of (await readFile(path, 'utf8')).matchAll(STATIC)) {
      if (!name.startsWith('.')) libraries.add(name)
      else if (/\.tsx?$/.test(name)) await visit(resolve(dirname(path), name))
    }
  }
  await visit(entry)
  return { files: [...files].map((path) => relative(SOURCES, path)), libraries: [...libraries] }
}

test('the entry of the console imports no screen, no dictionary, and no library that only some screens need', async () => {
  const { files, libraries } = await importsOf(`${SOURCES}main.tsx`)
  expect(libraries.toSorted()).toEqual(LIBRARIES)
  expect(files.filter((file) => !FIRST.some((allowed) => allowed.test(file)))).toEqual([])
  // What is loaded when it is opened is found from a screen, so that the walk sees imports at all.
  const screen = await importsOf(`${SOURCES}areas/members/list.tsx`)
  expect(screen.files).toContain('ui/data-table/data-table.tsx')
})
