import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { NODE_FLAGS } from './node-flags.ts'

const OPERATED = ['docs/operations.md', 'docker-compose.yml', 'infra/Dockerfile', 'infra/k8s/worker.yaml']

test.each([
  ['worker', OPERATED],
  ['api', ['docs/operations.md', 'infra/Dockerfile']],
] as const)('every %s is started within the bounds of its memory', async (app, files) => {
  const script = `apps/${app}/src/main.ts`
  for (const file of files) {
    const text = await readFile(new URL(`../${file}`, import.meta.url), 'utf8')
    const commands = text.split(script).slice(0, -1)
    expect([file, commands.length > 0]).toEqual([file, true])
    for (const before of commands) {
      const command = before.slice(before.lastIndexOf('node'))
      expect([file, command.match(/--[^\s,"]+/g)]).toEqual([file, NODE_FLAGS])
    }
  }
})
