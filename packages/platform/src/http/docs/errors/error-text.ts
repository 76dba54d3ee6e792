/** What a code means, in two parts. Both are Markdown. */
export interface ErrorText {
  readonly cause: string
  /** What to do, as a sentence. */
  readonly cure: string
}

/** An error as its area declares it. */
interface Declared {
  readonly message: string
  readonly cure?: string | undefined
}

/** The parts of a declared error. Its message is `cause: cure`, unless it declares a cure of its own. */
export function textOfError({ message, cure }: Declared): ErrorText {
  const [cause = '', ...rest] = message.split(': ')
  return { cause, cure: cure ?? sentence(rest.join(': ')) }
}

const sentence = (text: string) => (text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}.`)
