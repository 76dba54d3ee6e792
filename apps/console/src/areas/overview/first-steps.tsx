import { Link } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { CodeBlock } from '../../ui/code-block/code-block.tsx'
import { CopyButton } from '../../ui/copy-button/copy-button.tsx'
import { Section } from '../../ui/page/page.tsx'
import styles from './home.module.css'

const call = (path: string, body: object) =>
  `curl ${location.origin}/api/v1/${path} \\
  -H "Authorization: Bearer $GUILDHALL_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body)}'`

/** What to do with a project that has no members. */
export function FirstSteps() {
  const { project, side } = useProject()
  const steps = [
    {
      title: t('Make a secret key'),
      text: t('Your server calls the API with it. It is shown once: keep it as GUILDHALL_KEY.'),
      path: 'keys',
      link: t('To the keys'),
    },
    {
      title: t('Make a plan'),
      text: t('Members are on a plan. There is a free one already; another one has a price.'),
      path: 'plans',
      link: t('To the plans'),
      code: call('plans', { name: 'Pro', price: 12, currency: 'eur', interval: 'month' }),
    },
    {
      title: t('Add a member'),
      text: t('By the API as here, by an invitation, or by an import of a file.'),
      path: 'invitations',
      link: t('To the invitations'),
      code: call('members', { email: 'ada@example.com', full_name: 'Ada Lovelace' }),
    },
  ]
  return (
    <Section title={t('First steps')}>
      <ol className={styles.steps}>
        {steps.map(({ title, text, path, link, code }) => (
          <li key={path}>
            <p className={styles.step}>{title}</p>
            <p>
              {text}{' '}
              <Link to={`/$project/$side/${path}`} params={{ project, side }}>
                {link}
              </Link>
            </p>
            {code !== undefined && (
              <>
                <CodeBlock label={title} text={code} />
                <div className={styles.code}>
                  <CopyButton text={code} />
                </div>
              </>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}
