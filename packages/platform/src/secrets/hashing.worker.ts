// What threads do with passwords: make a hash with argon2id, or check one.
import { hashSync, verifySync } from '@node-rs/argon2'

export type HashingTask =
  | {
      readonly password: string
      readonly parameters: {
        readonly memoryCost: number
        readonly timeCost: number
        readonly parallelism: number
        readonly salt?: Uint8Array
      }
    }
  | { readonly password: string; readonly hash: string }

/** The hash that was made, or whether the password is right. @throws Error for an invalid hash */
export default (task: HashingTask): string | boolean =>
  'hash' in task ? verifySync(task.hash, task.password) : hashSync(task.password, task.parameters)
