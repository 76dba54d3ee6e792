import { type Command, InvalidArgumentError, Option } from 'commander'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import {
  listForeignSigningKeys,
  listSigningKeys,
  revokeSigningKey,
  rotateSigningKey,
  SIGNING_KEYS_PURPOSE,
} from '#platform/tokens/rotate-signing-key.ts'
import type { Operator } from './operator.ts'
import { print } from './print.ts'

/** Commands for the keys that members' access tokens are signed with. */
export function addSigningKeyCommands(
  program: Command,
  run: (work: (operator: Operator) => Promise<void>) => Promise<void>,
): void {
  const json = new Option('--json', 'print the result as one JSON object')
  const signingKey = program
    .command('signing-key')
    .description('rotate, list and revoke the keys that sign access tokens of members')

  signingKey
    .command('rotate')
    .description('create a new key; tokens that the old key signed stay valid until they expire')
    .option(
      '--ahead <seconds>',
      'publish the key this many seconds before it is used, for servers that cache the published keys',
      wholeSeconds,
      0,
    )
    .addOption(json)
    .action((options) =>
      run(async ({ operators, secretKeys }) => {
        const box = makeProjectBox(secretKeys, SIGNING_KEYS_PURPOSE)
        const made = await rotateSigningKey({ pool: operators, box, aheadSeconds: options.ahead })
        print({ ...made }, options.json)
      }),
    )
  signingKey
    .command('list')
    .addOption(json)
    .action((options) =>
      run(async ({ operators }) => {
        const keys = await listSigningKeys(operators)
        const of_other_cells = await listForeignSigningKeys(operators)
        print(options.json ? { keys, of_other_cells } : [...keys, ...of_other_cells], options.json)
      }),
    )
  signingKey
    .command('revoke <id>')
    .description(
      'end a key that others may know: all tokens that it signed stop working within a second. Cells to which projects have just moved accept them until it is revoked there, too',
    )
    .addOption(json)
    .action((id, options) =>
      run(async ({ operators }) => {
        const { revoked, cells } = await revokeSigningKey(operators, id)
        print({ id, revoked, revoke_it_there_too: cells }, options.json)
      }),
    )
}

function wholeSeconds(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('must be seconds, at most 9999999')
  return Number(text)
}
