import { makeSignUpDeps, type SignUpDeps } from '#areas/auth/service.ts'
import type { StorageDeps } from '#areas/storage/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Transfers } from '#platform/http/limits/transfer-slots.ts'
import {
  type CheckedHash,
  type KeyedHash,
  makeCheckedHash,
  makeKeyedHash,
} from '#platform/secrets/keyed-hash.ts'
import { elderOf } from '#platform/secrets/secret-keys.ts'
import type { EventLoopTurns } from '#platform/threads/event-loop-turns.ts'
import { FormVersions } from './evaluation/form-versions.ts'

/** What forms work with besides the project's data; built once. */
export interface FormsDeps extends StorageDeps, SignUpDeps {
  readonly transfers: Transfers
  readonly turns: EventLoopTurns
  readonly versions: FormVersions
  /** Of the tokens that say when a form was shown. */
  readonly tokenHash: CheckedHash
  /** Of what was sent by whom. */
  readonly digestHash: KeyedHash
}

export function makeFormsDeps(deps: AreaDeps): FormsDeps {
  const { objects, config, transfers, turns } = deps
  return Object.freeze({
    ...makeSignUpDeps(deps),
    objects,
    config,
    transfers,
    turns,
    versions: new FormVersions(),
    tokenHash: makeCheckedHash(config, 'form tokens'),
    digestHash: makeKeyedHash(elderOf(config), 'form submissions'),
  })
}
