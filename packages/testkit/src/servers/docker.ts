import { setTimeout as sleep } from 'node:timers/promises'
import { getContainerRuntimeClient } from 'testcontainers'
import { describe } from 'vitest'

/** An engine that says nothing for so long is not waited for. */
const ANSWER_MS = 5_000

/**
 * A suite that needs a Docker engine. Where none answers, at its usual sockets or at DOCKER_HOST, it is reported as not
 * run, by its name.
 */
export async function describeWithDocker(name: string, suite: () => void): Promise<void> {
  const answers = await dockerAnswers()
  describe.skipIf(!answers)(answers ? name : `${name} (no Docker engine answers)`, suite)
}

function dockerAnswers(): Promise<boolean> {
  const asked = getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
  return Promise.race([asked, sleep(ANSWER_MS, false, { ref: false })])
}
