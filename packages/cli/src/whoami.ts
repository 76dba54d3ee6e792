import { connect } from './connect.ts'
import { type Given, plain, print } from './options.ts'

/** Shows as whom commands act. */
export async function whoami(given: Given): Promise<void> {
  const { url, guildhall, operator } = await connect(given)
  if (operator !== undefined) {
    const { access_token: _, expires_in: __, token_type: ___, ...who } = await operator()
    const { email, project, environment, role } = who
    print(
      given,
      { url, ...who },
      `${plain(email)}, ${role} of ${plain(project.name)} (${environment}) at ${url}`,
    )
    return
  }
  const key = await guildhall.apiKeys.self.get()
  const rights = 'permissions' in key && key.permissions ? `, ${key.permissions.join(' ')}` : ''
  print(given, { url, ...key }, `The ${key.type} key ${key.id} (${key.environment}${rights}) at ${url}`)
}
