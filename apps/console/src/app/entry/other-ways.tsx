import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { type EntryProps, useEntry } from './ask.ts'
import { enterByPasskey, hasPasskeys } from './passkey.ts'
import { leaveFor, type Provider, providerQuery } from './sso.ts'

/** Logs in by a passkey, where the browser has them. */
export function Passkey(props: EntryProps) {
  const { mutate, error, isPending } = useEntry(props)
  if (!hasPasskeys()) return null
  // The browser's own words for "nobody was chosen" help nobody.
  const shown = error?.name === 'NotAllowedError' ? new Error(t('No passkey was chosen')) : error
  return (
    <>
      {shown && <ErrorNotice error={shown} />}
      <Button isPending={isPending} onPress={() => mutate(enterByPasskey)}>
        {t('Log in by a passkey')}
      </Button>
    </>
  )
}

interface SsoProps {
  /** Whether the provider asks again who is there. */
  readonly reauthenticate?: boolean
  /** What is said before it. */
  readonly children?: ReactNode
}

/** Leaves for the provider of the installation, where it has one. */
export function SingleSignOn({ reauthenticate = false, children }: SsoProps) {
  const { data: provider } = useQuery(providerQuery)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (to: Provider) => leaveFor(to, reauthenticate),
  })
  if (!provider) return null
  return (
    <>
      {children}
      {error && <ErrorNotice error={error} />}
      <Button isPending={isPending} onPress={() => mutate(provider)}>
        {t('Log in by {name}', { name: provider.name })}
      </Button>
    </>
  )
}
