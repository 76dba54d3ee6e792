import { Type } from 'typebox'
import { pathId, strict } from '#platform/http/envelope.ts'
import { FileId } from '../schema.ts'
import { SIGNATURE_LENGTH } from './file-links.ts'

export const ByProjectAndId = strict({
  project_id: Type.String({
    description: 'The project to which the file belongs',
    examples: ['proj_01jcq3k8f7e8qtk4m3hbw7rn2g'],
  }),
  id: pathId('file', FileId),
})

/** What a signed link says. */
export const LinkQuery = strict({
  expires: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 99_999_999_999,
      description: 'When the link expires, in seconds since 1970',
      examples: [1_795_338_000],
    }),
  ),
  export: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'The id of the export that has the link: the link expires with it',
      examples: ['exp_01jcq3k8f7e8qtk4m3hbw7rn2d'],
    }),
  ),
  preview: Type.Optional(
    Type.Boolean({ description: 'True in the link to the smaller size of a picture', examples: [true] }),
  ),
  signature: Type.Optional(
    Type.String({
      pattern: `^[0-9a-f]{${SIGNATURE_LENGTH}}$`,
      description: 'The signature of the link',
      examples: ['2b7e151628aed2a6abf7158809cf4f3c'],
    }),
  ),
})
