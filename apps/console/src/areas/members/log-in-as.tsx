import type { MemberWithPlan } from '@guildhall/sdk'
import { useMutation } from '@tanstack/react-query'
import { callConsole } from '../../data/console-api.ts'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { CodeBlock } from '../../ui/code-block/code-block.tsx'
import { CopyButton } from '../../ui/copy-button/copy-button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Time } from '../../ui/time/time.tsx'

interface MemberSession {
  readonly access_token: string
  readonly expires_at: string
}

interface Props {
  readonly member: MemberWithPlan
  readonly onClose: () => void
}

/** Gets an access token of a member, for 15 minutes. */
export function LogInAs({ member: { id, email }, onClose }: Props) {
  const { project, side } = useProject()
  const open = useMutation({
    mutationFn: async (reason: string) => {
      const body = { environment: side, ...(reason !== '' && { reason }) }
      const path = `/projects/${project}/members/${id}/session`
      return (await callConsole<{ data: MemberSession }>('POST', path, { body })).data
    },
  })
  if (open.data !== undefined)
    return (
      <Dialog title={t('Logged in as {email}', { email })} isOpen>
        <p>
          {t('Your site takes this access token as that of the member. It ends:')}{' '}
          <Time at={open.data.expires_at} />
        </p>
        <CodeBlock label={t('Access token')} text={open.data.access_token} />
        <div>
          <CopyButton text={open.data.access_token} />
        </div>
        <Button kind="primary" onPress={onClose}>
          {t('Done')}
        </Button>
      </Dialog>
    )
  return (
    <FormDialog
      title={t('Log in as {email}?', { email })}
      verb={t('Log in')}
      isPending={open.isPending}
      error={open.error}
      fields={['reason']}
      onSubmit={(form) => open.mutate(String(form.get('reason')))}
      onClose={onClose}
    >
      <p>
        {t(
          'You get an access token for 15 minutes. It changes no password, address, factor or card, and deletes nothing. The audit log names you, and the member is told by mail unless the settings say otherwise.',
        )}
      </p>
      <TextField
        label={t('Reason')}
        name="reason"
        description={t('For the audit log')}
        autoFocus
        error={faultOf(open.error, 'reason')}
      />
    </FormDialog>
  )
}
