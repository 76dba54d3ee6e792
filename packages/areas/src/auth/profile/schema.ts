import { Type } from 'typebox'
import { AvatarUrlChange, Email, FullNameChange } from '#areas/members/schema.ts'
import { Metadata, strict } from '#platform/http/envelope.ts'
import { RedirectUrl } from '../schema.ts'

export const ProfileChanges = strict(
  {
    full_name: Type.Optional(FullNameChange),
    avatar_url: Type.Optional(AvatarUrlChange),
    metadata: Type.Optional(
      Metadata({ description: 'Merged into what is there; a key set to null is removed' }),
    ),
    email: Type.Optional({
      ...Email,
      description: 'Takes effect once it is confirmed by the mail that goes there',
    }),
    redirect_url: Type.Optional(RedirectUrl),
  },
  { title: 'ProfileChanges', examples: [{ full_name: 'Ada King' }] },
)
