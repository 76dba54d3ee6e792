import { useEffect, useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { LogIn } from '../log-in.tsx'
import { type EntryProps, useEntry } from './ask.ts'
import { ByMail, NewPassword } from './by-mail.tsx'
import styles from './entry.module.css'
import { Passkey, SingleSignOn } from './other-ways.tsx'
import { SignUp } from './sign-up.tsx'
import { comesBack } from './sso.ts'

const WAYS = ['password', 'link', 'forgot', 'sign-up', 'invitation'] as const
type Way = (typeof WAYS)[number]

const titles = (): Readonly<Record<Way, string>> => ({
  password: t('Log in to Guildhall'),
  link: t('Log in by mail'),
  forgot: t('Set a new password'),
  'sign-up': t('Sign up to Guildhall'),
  invitation: t('Accept an invitation'),
})

/** The way that the address asks for, such as `/console?way=invitation`. */
function wayOfAddress(): Way {
  const asked = new URLSearchParams(location.search).get('way')
  return WAYS.find((way) => way === asked) ?? 'password'
}

/** Every way to log in, for who is not logged in. */
export function Entry({ onDone }: { readonly onDone: () => void }) {
  const [way, setWay] = useState<Way>(wayOfAddress)
  const [factor, setFactor] = useState<string>()
  const props: EntryProps = { onDone, onFactor: setFactor }
  const title = titles()[way]
  useEffect(() => {
    document.title = `${title} · Guildhall`
  }, [title])
  if (factor !== undefined)
    return (
      <>
        <h1>{t('Your second factor')}</h1>
        <LogIn onDone={onDone} mfaToken={factor} />
      </>
    )
  return (
    <>
      <h1>{title}</h1>
      <Ways way={way} {...props} />
      <nav className={styles.ways} aria-label={t('Other ways to log in')}>
        {way === 'password' && <Passkey {...props} />}
        {way === 'password' && <SingleSignOn />}
        {WAYS.filter((each) => each !== way).map((each) => (
          <Button key={each} kind="quiet" onPress={() => setWay(each)}>
            {titles()[each]}
          </Button>
        ))}
      </nav>
    </>
  )
}

function Ways({ way, ...props }: EntryProps & { readonly way: Way }) {
  switch (way) {
    case 'link':
      return (
        <ByMail key={way} {...props} request="/magic-link" verify="/magic-link/verify" verb={t('Log in')} />
      )
    case 'forgot':
      return (
        <ByMail
          key={way}
          {...props}
          request="/password/forgot"
          verify="/password/reset"
          verb={t('Set the password')}
          more={(error) => <NewPassword error={error} />}
        />
      )
    case 'invitation':
      return (
        <ByMail
          key={way}
          {...props}
          request={null}
          verify="/invitations/accept"
          verb={t('Accept')}
          more={(error) => (
            <>
              <TextField
                label={t('Name')}
                name="full_name"
                autoComplete="name"
                error={faultOf(error, 'full_name')}
              />
              <NewPassword error={error} />
            </>
          )}
        />
      )
    case 'sign-up':
      return <SignUp {...props} />
    default:
      return <ByPassword {...props} />
  }
}

/** The password; whoever comes back from a provider is let in by what it has said. */
function ByPassword(props: EntryProps) {
  const { mutate, error, isPending } = useEntry(props)
  useEffect(() => {
    const enter = comesBack()
    if (enter !== undefined) mutate(enter)
  }, [mutate])
  if (isPending) return <p role="status">{t('Loading …')}</p>
  return (
    <>
      {error && <ErrorNotice error={error} />}
      <LogIn onDone={props.onDone} />
    </>
  )
}
