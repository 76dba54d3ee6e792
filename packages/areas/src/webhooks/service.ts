import * as signing from './endpoints/signing.ts'

/** Makes the signer of a secret `whsec_…`, as other areas that call outside services sign. */
export const { makeSigner } = signing
