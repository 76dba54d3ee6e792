import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

const directory = getCompileCacheDir()

/** The environment of processes that tests start: without it each compiles all sources anew, which takes seconds. */
export const compileCache: Readonly<Record<string, string>> =
  directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) }
