// What the thread does that reads answers of SAML providers.
import { readSamlAnswer, SamlRefusal } from './saml.ts'
import type { SamlReply, SamlTask } from './saml-thread.ts'

/** An error loses its class on its way between threads, so it is a reply. */
export default ({ party, text, secrets }: SamlTask): Promise<SamlReply> =>
  readSamlAnswer(party, text, secrets).then(
    (answer) => ({ is: 'read', answer }),
    (error: Error) => ({
      is: error instanceof SamlRefusal ? 'refused' : 'faulty',
      message: error.message,
    }),
  )
