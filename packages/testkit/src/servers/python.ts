import { spawn, spawnSync } from 'node:child_process'
import { describe } from 'vitest'

const hasPython = (): boolean => spawnSync('python3', ['--version']).status === 0

/** A suite that needs Python. On a machine without one it is reported as not run, by its name. */
export function describeWithPython(name: string, suite: () => void): void {
  describe.runIf(hasPython())(name, suite)
}

/** Strict, with default settings: commas, double quotes, whatever lines end with. */
const READ = `
import csv, io, json, sys
text = io.TextIOWrapper(sys.stdin.buffer, encoding=sys.argv[1], newline='')
json.dump(list(csv.reader(text, strict=True)), sys.stdout)
`

/** The cells of a file as Python's own `csv` reads it. @param encoding `utf-8-sig` takes a byte order mark away */
export function readByPython(file: Buffer, encoding = 'utf-8'): Promise<string[][]> {
  const python = spawn('python3', ['-c', READ, encoding], { stdio: ['pipe', 'pipe', 'inherit'] })
  python.stdin.end(file)
  let output = ''
  python.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  return new Promise((resolve, reject) => {
    python.once('error', reject)
    python.once('close', (code) =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error(`python ended with ${code}`)),
    )
  })
}
