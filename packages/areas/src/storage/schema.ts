import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { includeParameter } from '#platform/http/include.ts'
import { createdParameters, idParameter, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters } from '#platform/http/page.ts'
import { NAME_LENGTH } from './names.ts'

export const VISIBILITIES = ['private', 'public'] as const
export type Visibility = (typeof VISIBILITIES)[number]
/** Parts of one upload. */
export const MOST_PARTS = 1_000
export const STATUSES = ['pending', 'ready'] as const
export type FileStatus = (typeof STATUSES)[number]
/** What members upload files for. */
export const PURPOSES = ['attachment', 'avatar'] as const
export type Purpose = (typeof PURPOSES)[number]

export const FileId = Type.String({
  description: 'The id of a file',
  examples: ['file_01jcq3k8f7e8qtk4m3hbw7rn2e'],
})
const MemberId = { examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'] }
const Visibility = oneOf(VISIBILITIES, {
  description:
    '`public`: everybody who knows the `url` can read the file; `private`: only keys and signed URLs can',
})

export const StoredFile = Type.Object(
  {
    id: FileId,
    name: Type.String({ description: 'The name that people see', examples: ['summer.jpg'] }),
    size: Type.Integer({ minimum: 0, description: 'Bytes', examples: [48_213] }),
    content_type: Type.String({
      description: 'The type that was detected from the bytes; while `pending`, the announced type',
      examples: ['image/jpeg'],
    }),
    checksum_sha256: nullable(
      Type.String({
        description: 'The SHA-256 of the bytes in hexadecimal; null while `pending`',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
    ),
    visibility: Visibility,
    url: nullable(
      Type.String({
        description:
          'The address of the bytes. Everybody can read a public file; a private file needs a key with `read:storage`. A member who uploads gets a signed link, which works for an hour or longer. Null while `pending`',
        format: 'web-url',
        examples: ['https://api.example.com/api/v1/storage/files/file_01jcq3k8f7e8qtk4m3hbw7rn2e/content'],
      }),
    ),
    owner_id: nullable(Type.String({ description: 'The member to whom the file belongs', ...MemberId })),
    status: oneOf(STATUSES, {
      description: '`pending` until all bytes have arrived and were checked',
      default: 'ready',
    }),
    created_at: Timestamp(),
  },
  { title: 'File' },
)
export type StoredFile = Static<typeof StoredFile>

/** What the description of a file leaves out, and `include` brings. */
const INCLUDES = ['used_by'] as const
export const GetQuery = strict({ include: includeParameter(INCLUDES) })
export const FileDetail = Type.Object(
  {
    ...StoredFile.properties,
    used_by: Type.Optional(
      Type.Array(
        Type.Object(
          {
            type: Type.String({
              description: 'The type of the user, like `product`, `lesson`, `form_submission` or `avatar`',
              examples: ['product'],
            }),
            count: Type.Integer({ minimum: 1, description: 'How many of this type use it', examples: [1] }),
          },
          { title: 'FileUse' },
        ),
        { description: 'The things that use the file. Present with `include=used_by`' },
      ),
    ),
  },
  { title: 'FileDetail' },
)

/** The name, in `include`, of what adds files to answers. */
export const ATTACHMENTS = 'attachments'
/** Files of one post. */
export const MOST_FILES = 10

const Pixels = Type.Integer({ minimum: 1, description: 'Pixels', examples: [1_600] })

const Preview = Type.Object(
  {
    url: Type.String({
      description: 'The address of the smaller picture. It works as long as that of the file',
      format: 'web-url',
      examples: [
        'https://api.example.com/api/v1/storage/signed/proj_01jcq3k8f7e8qtk4m3hbw7rn2g/file_01jcq3k8f7e8qtk4m3hbw7rn2h?expires=1795338000&preview=true&signature=2b7e151628aed2a6abf7158809cf4f3c',
      ],
    }),
    width: Pixels,
    height: Pixels,
  },
  {
    title: 'FilePreview',
    description:
      'A smaller picture in WebP, at most 640 pixels wide and high, without the data that a camera adds. It has the first image of a moving picture',
  },
)

/** A file of a post, as it is shown to whoever may read the post. */
export const PostFile = Type.Object(
  {
    id: StoredFile.properties.id,
    name: StoredFile.properties.name,
    size: StoredFile.properties.size,
    content_type: Type.String({
      description: 'The type that was detected from the bytes',
      examples: ['image/jpeg'],
    }),
    url: Type.String({
      description:
        'The address of the bytes, for 5 to 10 minutes; read the post again after that. It stops working at once if the post is removed or the file is taken out of it',
      format: 'web-url',
      examples: [
        'https://api.example.com/api/v1/storage/signed/proj_01jcq3k8f7e8qtk4m3hbw7rn2g/file_01jcq3k8f7e8qtk4m3hbw7rn2h?expires=1795338000&signature=2b7e151628aed2a6abf7158809cf4f3c',
      ],
    }),
    expires_at: Timestamp({ description: 'When the addresses stop working' }),
    width: nullable({
      ...Pixels,
      description:
        'The width of a picture in pixels, as it is shown. Null until a job has read it, and for other files',
    }),
    height: nullable({
      ...Pixels,
      description:
        'The height of a picture in pixels, as it is shown. Null until a job has read it, and for other files',
    }),
    preview: nullable(Preview),
  },
  { title: 'PostFile' },
)
export type PostFile = Static<typeof PostFile>

/** The field with the ids of the files of a post, where it is written. */
export const attachmentsInput = {
  attachments: Type.Optional(
    Type.Array(Type.String({ maxLength: 80, examples: ['file_01jcq3k8f7e8qtk4m3hbw7rn2h'] }), {
      description:
        'The ids of the files of the post. A file belongs to one post. With a token: own files that were uploaded with the purpose `attachment`. With a key: files of the author, or of nobody',
      maxItems: MOST_FILES,
      uniqueItems: true,
    }),
  ),
}

/** The field with the ids of the files of a post, where it is read. */
export const attachmentsField = {
  attachments: Type.Array(Type.String({ examples: ['file_01jcq3k8f7e8qtk4m3hbw7rn2h'] }), {
    description: 'The ids of the files of the post',
  }),
}

/** The field that `include=attachments` adds. */
export const filesField = {
  files: Type.Optional(
    Type.Array(PostFile, {
      description:
        'Present with `include=attachments`: the files of the post, without deleted ones. One answer has at most 1,000 files',
    }),
  ),
}

const Name = Type.String({
  minLength: 1,
  maxLength: NAME_LENGTH,
  // No control characters and no path.
  pattern: '^[^\\u0000-\\u001f\\u007f/\\\\]*$',
  description: 'The name that people see; not a path',
  examples: ['summer.jpg'],
})
const OwnerId = Type.String({ description: 'The member to whom the file belongs', ...MemberId })

/** What stands beside the file in a multipart upload. */
export const FormFields = strict({
  name: Type.Optional(Name),
  visibility: Type.Optional(oneOf(VISIBILITIES, { default: 'private' })),
  owner_id: Type.Optional(OwnerId),
  purpose: Type.Optional(
    oneOf(PURPOSES, {
      description:
        '`attachment`: a file for a post; `avatar`: a picture for the profile of a member. A file to which nothing refers after a day is deleted. With a token the default is `attachment`',
      examples: ['attachment'],
    }),
  ),
})
export type FormFields = Static<typeof FormFields>

/** The multipart body, for the document. */
export const UploadForm = strict(
  {
    file: Type.Unsafe<unknown>({
      type: 'string',
      contentMediaType: 'application/octet-stream',
      examples: ['The bytes of the file'],
    }),
    ...FormFields.properties,
  },
  { title: 'UploadForm' },
)

export const UploadRequest = strict(
  {
    name: Name,
    size: Type.Integer({
      minimum: 0,
      description: 'The size in bytes; exactly this number of bytes is accepted',
      examples: [48_213],
    }),
    content_type: Type.String({
      maxLength: 127,
      pattern: '^[\\w.+-]+/[\\w.+-]+$',
      description:
        'The URL accepts exactly this Content-Type. The type of the file is detected from its bytes later',
      examples: ['image/jpeg'],
    }),
    visibility: Type.Optional(oneOf(VISIBILITIES, { default: 'private' })),
    owner_id: Type.Optional(OwnerId),
    parts: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_PARTS,
        description:
          'The number of parts. The answer then has a URL for each part, for a day. All parts but the last have the same size, of 5 MiB to 5 GiB, and the last one has the rest; a file in parts may be as large as the quota',
        examples: [2],
      }),
    ),
  },
  { title: 'UploadRequest' },
)
export type UploadRequest = Static<typeof UploadRequest>

const PartNumber = Type.Integer({
  minimum: 1,
  maximum: MOST_PARTS,
  description: 'The number of the part, from 1',
  examples: [1],
})

const UploadPart = Type.Object(
  {
    part: PartNumber,
    url: Type.String({
      description: 'The URL accepts exactly `size` bytes. Its answer has the header `ETag`',
      format: 'web-url',
      examples: ['https://s3.example.com/bucket/key?partNumber=1&X-Amz-Signature=2b7e1516'],
    }),
    size: Type.Integer({ description: 'Bytes of the part', examples: [48_213] }),
  },
  { title: 'UploadPart' },
)

export const Completion = strict(
  {
    parts: Type.Optional(
      Type.Array(
        strict({
          part: PartNumber,
          etag: Type.String({
            minLength: 1,
            maxLength: 200,
            pattern: '^"?[\\w+/=-]+"?$',
            description: 'The header `ETag` of the answer to the part, with or without quotation marks',
            examples: ['"9b2cf535f27731c974343645a3985328"'],
          }),
        }),
        { maxItems: MOST_PARTS, description: 'Required for an upload in parts, and only then' },
      ),
    ),
  },
  { title: 'UploadCompletion', examples: [{}] },
)
export type Completion = Static<typeof Completion>

/** Where and how the bytes are to be sent. */
export const Upload = Type.Object(
  {
    id: FileId,
    method: oneOf(['PUT']),
    url: nullable(
      Type.String({
        description: 'Null for an upload in parts',
        format: 'web-url',
        examples: ['https://s3.example.com/bucket/key?X-Amz-Signature=2b7e1516'],
      }),
    ),
    parts: Type.Optional(
      Type.Array(UploadPart, { description: 'Only for an upload in parts: where each part is sent' }),
    ),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Headers to send with the upload, unchanged',
      examples: [{ 'content-type': 'image/jpeg' }],
    }),
    expires_at: Timestamp({ description: 'When the URL stops working' }),
    file: StoredFile,
  },
  { title: 'Upload' },
)
export type Upload = Static<typeof Upload>

export const FileChanges = strict(
  { name: Type.Optional(Name), visibility: Type.Optional(Visibility) },
  { title: 'FileChanges' },
)
export type FileChanges = Static<typeof FileChanges>

export const SignedUrlRequest = strict(
  {
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 604_800,
        default: 3_600,
        description: 'How many seconds the URL works',
      }),
    ),
  },
  { title: 'SignedUrlRequest' },
)

export const SignedUrl = Type.Object(
  {
    url: Type.String({
      format: 'web-url',
      examples: ['https://s3.example.com/bucket/key?X-Amz-Signature=2b7e1516'],
    }),
    expires_at: Timestamp(),
  },
  { title: 'SignedUrl' },
)

export const Usage = Type.Object(
  {
    bytes: Type.Integer({
      description: 'Bytes that are stored or reserved by announced uploads',
      examples: [48_213],
    }),
    files: Type.Integer({ examples: [1] }),
    quota_bytes: Type.Integer({
      description: 'By tier: Free 1 GiB, Pro 100 GiB, Business 1 TiB, Enterprise 10 TiB or as agreed',
      examples: [107_374_182_400],
    }),
  },
  { title: 'StorageUsage' },
)

export const ListQuery = strict({
  ...pageParameters,
  search: searchIn('the name'),
  visibility: Type.Optional(oneOf(VISIBILITIES, { description: 'Only files of this visibility' })),
  owner_id: idParameter(OwnerId, 'Only files of this member'),
  ...createdParameters,
  ...sortParameters(['created_at', 'name', 'size']),
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 127,
      description: 'A content type, or its part before the slash, like `image`',
    }),
  ),
})
export type ListQuery = Static<typeof ListQuery>

export const ById = strict({ id: pathId('file', FileId) })
