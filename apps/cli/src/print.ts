/** Prints a result: as one line of JSON for programs, as aligned columns or lines for people. */
export function print(result: object, asJson: boolean | undefined): void {
  if (asJson) console.log(JSON.stringify(result))
  else if (Array.isArray(result)) console.table(result)
  else for (const [name, value] of Object.entries(result)) console.log(`${name.padEnd(16)} ${show(value)}`)
}

function show(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '-')
}
