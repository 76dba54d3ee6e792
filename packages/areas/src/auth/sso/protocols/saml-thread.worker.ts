// The thread that reads answers of SAML providers, one at a time. Its owner ends it if an answer takes too long.
import { parentPort } from 'node:worker_threads'
import { readSamlAnswer, SamlRefusal } from './saml.ts'
import type { SamlReply, SamlTask } from './saml-thread.ts'

const say = (reply: SamlReply) => parentPort?.postMessage(reply)

parentPort?.on('message', ({ party, text, secrets }: SamlTask) => {
  readSamlAnswer(party, text, secrets).then(
    (answer) => say({ is: 'read', answer }),
    (error: Error) =>
      say({ is: error instanceof SamlRefusal ? 'refused' : 'faulty', message: error.message }),
  )
})
say({ is: 'ready' })
