import { t } from '../../data/words.ts'
import { CodeBlock } from '../../ui/code-block/code-block.tsx'
import { CopyButton } from '../../ui/copy-button/copy-button.tsx'
import styles from './forms.module.css'

const elementOf = (id: string) => `<script type="module" src="/elements/form.js"></script>
<guildhall-form api="${location.origin}" key="svc_pk_…" form="${id}"></guildhall-form>`

const fetchOf = (id: string) => `const form = '${location.origin}/api/v1/forms/${id}'
const headers = { authorization: 'Bearer svc_pk_…', 'content-type': 'application/json' }

// What the form asks, and a token that says when it was shown.
const { data: schema } = await (await fetch(\`\${form}/schema\`, { headers })).json()

await fetch(\`\${form}/submissions\`, {
  method: 'POST',
  headers,
  body: JSON.stringify({ data: { /* values by the ids of fields */ }, token: schema.token }),
})`

/** What a site needs to show the form. */
export function Embed({ id }: { readonly id: string }) {
  return (
    <>
      <p>{t('Use a public key that can “submit” and read the “catalog”, in place of svc_pk_….')}</p>
      <Code title={t('As an element')} text={elementOf(id)} />
      <Code title={t('With a script of your own')} text={fetchOf(id)} />
    </>
  )
}

function Code({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className={styles.code}>
      <div className={styles.codeHead}>
        <h3>{title}</h3>
        <CopyButton text={text} />
      </div>
      <CodeBlock label={title} text={text} />
    </div>
  )
}
