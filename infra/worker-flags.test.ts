import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { WORKER_FLAGS } from './worker-flags.ts'

const WORKER = 'apps/worker/src/main.ts'

test.each(['README.md', 'docker-compose.yml', 'infra/Dockerfile', 'infra/k8s/worker.yaml'])(
  '%s starts workers within the bounds of their memory',
  async (file) => {
    const text = await readFile(new URL(`../${file}`, import.meta.url), 'utf8')
    const commands = [...text.matchAll(/\bnode\b([^\n]*\n?[^\n]*?)apps\/worker\/src\/main\.ts/g)]
    expect(commands.length).toBeGreaterThan(0)
    for (const [command, flags = ''] of commands)
      expect([command, flags.match(/--[^\s,]+/g)]).toEqual([command, WORKER_FLAGS])
    expect(text.split(WORKER).length - 1).toBe(commands.length)
  },
)
