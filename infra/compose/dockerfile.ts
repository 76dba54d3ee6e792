/** infra/Dockerfile as its tests read it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** A line of a stage: `COPY`, and what follows. */
export interface Instruction {
  readonly name: string
  readonly rest: string
}

export interface Stage {
  /** Undefined for the last one, which is the image. */
  readonly name: string | undefined
  readonly instructions: readonly Instruction[]
}

/** The stages of the image. A line that goes on in the next one is one line. */
export async function readStages(): Promise<readonly Stage[]> {
  const text = await readFile(join(ROOT, 'infra/Dockerfile'), 'utf8')
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split(/^(?=FROM )/m)
    .slice(1)
    .map((stage) => {
      const [from = '', ...lines] = stage.split('\n').filter((line) => /^[A-Z]+ /.test(line))
      return {
        name: / AS (\w+)$/.exec(from)?.[1],
        instructions: lines.map((line) => ({
          name: line.slice(0, line.indexOf(' ')),
          rest: line.slice(line.indexOf(' ') + 1),
        })),
      }
    })
}

/** What a COPY copies, from which stage, and to where. */
export function readCopy({ rest }: Instruction) {
  const words = rest.split(' ')
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
  return { from, sources: words.slice(0, -1), target: words.at(-1) ?? '' }
}

/** Whether a path of this folder is one that the build sees, by infra/Dockerfile.dockerignore. The last line that fits decides. */
export async function readIsSeen(): Promise<(path: string) => boolean> {
  const text = await readFile(join(ROOT, 'infra/Dockerfile.dockerignore'), 'utf8')
  const rules = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({
      isSeen: line.startsWith('!'),
      pattern: new RegExp(
        `^${line
          .replace(/^!/, '')
          .replaceAll('.', '\\.')
          .replaceAll('**/', '(?:.+/)?')
          .replaceAll(/(?<![.+)])\*/g, '[^/]*')}(?:/.*)?$`,
      ),
    }))
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.isSeen ?? true
}
