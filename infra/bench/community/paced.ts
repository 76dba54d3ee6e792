/** Requests at a fixed pace, whatever the answers take: a slow answer holds up no other request. */
export async function paced({
  perSecond,
  seconds,
  ask,
}: {
  readonly perSecond: number
  readonly seconds: number
  readonly ask: (n: number) => Promise<Response>
}): Promise<{ p50: number; p99: number }> {
  const times: number[] = []
  const asked: Promise<void>[] = []
  const start = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = start + (n * 1_000) / perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    asked.push(
      (async () => {
        const answer = await ask(n)
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`a paced request was answered ${answer.status}`)
        // From when it was due: a late start counts.
        times.push(performance.now() - due)
      })(),
    )
  }
  await Promise.all(asked)
  times.sort((a, b) => a - b)
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}
