import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/console-api.ts'
import { faultOf } from '../../data/faults.ts'
import { meQuery } from '../../data/keys.ts'
import { chooseTheme, presentTheme, THEMES, type Theme } from '../../data/theme.ts'
import { chooseLanguage, LANGUAGES, type Language, presentLanguage, t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Factors } from './factors.tsx'
import { callOwn, useOwnChange } from './queries.ts'
import { Sessions } from './sessions.tsx'

type Open = 'name' | 'email' | 'password'

/** The operator's own account: who it is, how it is protected, and where it is logged in. */
export function Account() {
  const { data: me } = useQuery(meQuery)
  const [open, setOpen] = useState<Open>()
  const [said, setSaid] = useState<string>()
  const close = (done?: string) => {
    setOpen(undefined)
    setSaid(done)
  }
  return (
    <Page title={t('Your account')} back={<Link to="/">{t('Back to the console')}</Link>}>
      <p role="status">{said}</p>
      <Section title={t('You')}>
        {me && (
          <Fields
            fields={[
              [t('Name'), me.full_name],
              [t('Email address'), me.email],
              [t('Id'), <code key="id">{me.id}</code>],
              ...(me.is_administrator ? [[t('Role'), t('Administrator of the installation')] as const] : []),
            ]}
          />
        )}
        <Buttons>
          <Button onPress={() => setOpen('name')}>{t('Change the name')}</Button>
          <Button onPress={() => setOpen('email')}>{t('Change the address')}</Button>
          <Button onPress={() => setOpen('password')}>{t('Change the password')}</Button>
        </Buttons>
      </Section>
      <Factors />
      <Sessions />
      <Section title={t('Language and theme')}>
        <Looks />
      </Section>
      <Section title={t('Programs')}>
        <p>
          {t(
            'A program, such as the command line, shows a code of eight letters when it wants to be logged in.',
          )}
        </p>
        <p>
          <a href="/console/api/device">{t('Enter the code of a program')}</a>
        </p>
      </Section>
      {open === 'name' && <ChangeName name={me?.full_name ?? ''} onClose={close} />}
      {open === 'email' && <ChangeAddress onClose={close} />}
      {open === 'password' && <ChangePassword onClose={close} />}
    </Page>
  )
}

function Looks() {
  const [theme, setTheme] = useState(presentTheme)
  const names: Readonly<Record<Theme, string>> = {
    system: t('As the machine has it'),
    light: t('Light'),
    dark: t('Dark'),
  }
  return (
    <>
      <Select
        label={t('Language')}
        isLabelShown
        options={Object.entries(LANGUAGES).map(([id, name]) => ({ id, name }))}
        value={presentLanguage()}
        onChange={(id) => chooseLanguage(id as Language)}
      />
      <Select
        label={t('Theme')}
        isLabelShown
        options={THEMES.map((id) => ({ id, name: names[id] }))}
        value={theme}
        onChange={(id) => {
          chooseTheme(id as Theme)
          setTheme(id as Theme)
        }}
      />
    </>
  )
}

interface DialogProps {
  /** @param done what to say about it */
  readonly onClose: (done?: string) => void
}

function ChangeName({ name, onClose }: DialogProps & { readonly name: string }) {
  const { mutate, isPending, error } = useOwnChange(
    (full_name: string) => callConsole('PATCH', '/me', { body: { full_name } }),
    () => onClose(t('Your name is changed.')),
  )
  return (
    <FormDialog
      title={t('Change the name')}
      verb={t('Save')}
      fields={['full_name']}
      {...{ isPending, error }}
      onSubmit={(form) => mutate(String(form.get('full_name')))}
      onClose={onClose}
    >
      <TextField
        label={t('Name')}
        name="full_name"
        defaultValue={name}
        autoComplete="name"
        autoFocus
        error={faultOf(error, 'full_name')}
      />
    </FormDialog>
  )
}

function ChangeAddress({ onClose }: DialogProps) {
  const { mutate, isPending, error } = useOwnChange(
    (email: string) => callConsole('PATCH', '/me', { body: { email } }),
    () => onClose(t('A mail is on its way to the new address. It is used once you have confirmed it.')),
  )
  return (
    <FormDialog
      title={t('Change the address')}
      verb={t('Send the mail')}
      fields={['email']}
      {...{ isPending, error }}
      onSubmit={(form) => mutate(String(form.get('email')))}
      onClose={onClose}
    >
      <TextField
        label={t('New email address')}
        name="email"
        type="email"
        autoComplete="email"
        isRequired
        autoFocus
        error={faultOf(error, 'email')}
      />
    </FormDialog>
  )
}

function ChangePassword({ onClose }: DialogProps) {
  const { mutate, isPending, error } = useOwnChange(
    (body: Readonly<Record<string, unknown>>) => callOwn('POST', '/password/change', body),
    () => onClose(t('Your password is changed. All other sessions have ended.')),
  )
  return (
    <FormDialog
      title={t('Change the password')}
      verb={t('Change')}
      fields={['current_password', 'password']}
      {...{ isPending, error }}
      onSubmit={(form) => mutate(Object.fromEntries(form))}
      onClose={onClose}
    >
      <TextField
        label={t('Present password')}
        name="current_password"
        type="password"
        autoComplete="current-password"
        isRequired
        autoFocus
        error={faultOf(error, 'current_password')}
      />
      <TextField
        label={t('New password')}
        name="password"
        type="password"
        autoComplete="new-password"
        description={t('10 characters or more')}
        isRequired
        error={faultOf(error, 'password')}
      />
      <p>{t('All other sessions end.')}</p>
    </FormDialog>
  )
}
