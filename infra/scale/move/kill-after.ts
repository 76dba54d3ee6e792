/**
 * Arguments of Node for a `guildhall project move` that kills itself as soon as it has said that a step is done. Who reads what it
 * says and kills it then comes too late on a busy machine: it may be a step further.
 */
export function killAfter(step: string): string[] {
  const code = `
    const write = process.stderr.write.bind(process.stderr)
    process.stderr.write = (chunk, ...more) => {
      const isWritten = write(chunk, ...more)
      if (String(chunk).startsWith(${JSON.stringify(`${step}:`)})) process.kill(process.pid, 'SIGKILL')
      return isWritten
    }`
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
}
