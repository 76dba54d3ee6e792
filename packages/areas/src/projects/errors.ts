import { defineError } from '#platform/define-error.ts'

/** 409 for a project that cannot be restored any more. */
export const removalBegun = defineError({
  code: 'REMOVAL_BEGUN',
  status: 409,
  message: 'The removal of this project has begun: it cannot be restored any more',
})

export const exportUnderWay = defineError({
  code: 'EXPORT_UNDER_WAY',
  status: 409,
  message: 'An export of this project is being made: wait until it has ended',
})

export const exportsUnavailable = defineError({
  code: 'EXPORTS_UNAVAILABLE',
  status: 503,
  message:
    'No worker of this installation can export whole projects: set DATABASE_OWNER_URL for the workers that serve the lane `schedule`, and S3_BUCKET for all processes, and try again after a minute',
})

export const importsUnavailable = defineError({
  code: 'IMPORTS_UNAVAILABLE',
  status: 503,
  message:
    'No worker of this installation can import whole projects: set DATABASE_OWNER_URL for the workers that serve the lane `schedule`, and S3_BUCKET for all processes, and try again after a minute',
})

export const archiveMissing = defineError({
  code: 'ARCHIVE_MISSING',
  status: 409,
  message:
    'The archive of this import was not uploaded, or has another size than was said: PUT it to the URL that the import was answered with, and complete the import again',
})

export const moveUnderWay = defineError({
  code: 'MOVE_UNDER_WAY',
  status: 409,
  message: 'A move of this project is under way: wait until it has ended',
})

export const movesUnavailable = defineError({
  code: 'MOVES_UNAVAILABLE',
  status: 503,
  message:
    'No worker of this installation can move projects: set DATABASE_OWNER_URL, CELL_NAME and CELL_ENVIRONMENTS for the workers that serve the lane `schedule`, and try again after a minute',
})
