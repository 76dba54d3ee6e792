import { Type } from 'typebox'
import { AvatarUrlChange, Email, FullNameChange } from '#areas/members/schema.ts'
import { Metadata, strict } from '#platform/http/envelope.ts'
import { RedirectUrl } from '../schema.ts'

export const ProfileChanges = strict(
  {
    full_name: Type.Optional(FullNameChange),
    avatar_url: Type.Optional(AvatarUrlChange),
    metadata: Type.Optional(
      Metadata({
        description: 'These keys are added or replaced; a key set to null is removed; other keys are kept',
      }),
    ),
    email: Type.Optional({
      ...Email,
      description: 'The new address is used after it is confirmed; a mail is sent to it',
    }),
    redirect_url: Type.Optional(RedirectUrl),
  },
  { title: 'ProfileChanges', examples: [{ full_name: 'Ada King' }] },
)
