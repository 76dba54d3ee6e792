import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Section } from '../../ui/page/page.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Time } from '../../ui/time/time.tsx'
import styles from './editor.module.css'
import { useCertificate, useChange } from './queries.ts'

interface Props {
  readonly id: string | null
  /** The name that the member has now. */
  readonly name: string
}

/** The certificate of an enrollment, with what is done with it. */
export function CertificateSection({ id, name }: Props) {
  const { data: certificate, error, refetch } = useCertificate(id)
  const { canChange } = useRights()
  const [act, setAct] = useState<'revoke' | 'reissue'>()
  const close = () => setAct(undefined)
  if (id === null)
    return (
      <Section title={t('Certificate')}>
        <Empty title={t('There is no certificate yet')}>
          {t('It is issued when every required lesson is done.')}
        </Empty>
      </Section>
    )
  return (
    <Section title={t('Certificate')}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {certificate !== undefined && (
        <>
          <Fields
            fields={[
              [t('Name'), <bdi key="name">{certificate.student_name}</bdi>],
              [t('Code'), <code key="code">{certificate.code}</code>],
              [
                t('Status'),
                <Badge key="status" state={certificate.revoked_at === null ? 'active' : 'revoked'} />,
              ],
              [t('Issued'), <Time key="issued" at={certificate.issued_at} />],
              ...(certificate.revoked_at === null
                ? []
                : [[t('Revoked'), <Time key="revoked" at={certificate.revoked_at} />] as const]),
              ...(certificate.replaced_by === null
                ? []
                : [[t('Replaced by'), <code key="next">{certificate.replaced_by}</code>] as const]),
            ]}
          />
          <div className={styles.actions}>
            <Download id={certificate.id} />
            {canChange && certificate.revoked_at === null && (
              <>
                <Button onPress={() => setAct('reissue')}>{t('Issue again')}</Button>
                <Button kind="danger" onPress={() => setAct('revoke')}>
                  {t('Revoke')}
                </Button>
              </>
            )}
          </div>
        </>
      )}
      {act === 'revoke' && <Revoke id={id} onClose={close} />}
      {act === 'reissue' && (
        <Reissue id={id} from={certificate?.student_name ?? ''} to={name} onClose={close} />
      )}
    </Section>
  )
}

/** Saves the page to print. */
function Download({ id }: { readonly id: string }) {
  const { client } = useProject()
  const [error, setError] = useState<Error>()
  const [isPending, setPending] = useState(false)
  const download = async () => {
    setPending(true)
    setError(undefined)
    try {
      const answer = await client.lms.certificates.get(id, { format: 'pdf' })
      const address = URL.createObjectURL(await answer.blob())
      const link = Object.assign(document.createElement('a'), { href: address, download: `${id}.pdf` })
      link.click()
      URL.revokeObjectURL(address)
    } catch (cause) {
      setError(cause as Error)
    } finally {
      setPending(false)
    }
  }
  return (
    <>
      <Button onPress={download} isPending={isPending}>
        {t('Download the PDF')}
      </Button>
      {error && <ErrorNotice error={error} />}
    </>
  )
}

interface ActProps {
  readonly id: string
  readonly onClose: () => void
}

function Revoke({ id, onClose }: ActProps) {
  const { mutate, isPending, error } = useChange(
    (client, reason: string) => client.lms.certificates.revoke(id, reason === '' ? {} : { reason }),
    onClose,
  )
  return (
    <FormDialog
      title={t('Revoke the certificate?')}
      verb={t('Revoke')}
      isDanger
      isPending={isPending}
      error={error}
      fields={['reason']}
      onSubmit={(form) => mutate(String(form.get('reason')))}
      onClose={onClose}
    >
      <p>{t('Who verifies its code sees that it is no longer valid. This cannot be undone.')}</p>
      <TextField label={t('Reason')} name="reason" autoFocus error={faultOf(error, 'reason')} />
    </FormDialog>
  )
}

function Reissue({ id, from, to, onClose }: ActProps & { readonly from: string; readonly to: string }) {
  const { mutate, isPending, error } = useChange((client) => client.lms.certificates.reissue(id), onClose)
  return (
    <FormDialog
      title={t('Issue the certificate again?')}
      verb={t('Issue again')}
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>
        {from === to
          ? t('A new certificate with another code replaces it. The old code says so.')
          : t('A new certificate for “{to}” replaces the one for “{from}”. The old code says so.', {
              from,
              to,
            })}
      </p>
    </FormDialog>
  )
}
