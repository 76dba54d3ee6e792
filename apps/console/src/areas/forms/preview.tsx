import { makePreview, type PreviewedForm } from '@guildhall/elements/preview'
import type { FormChanges, FormField } from '@guildhall/sdk'
import { useEffect, useRef, useState } from 'react'
import { presentLanguage } from '../../data/words.ts'
import type { FormState } from '../../ui/schema-form/use-schema-form.ts'
import styles from './forms.module.css'
import type { ReadForm } from './queries.ts'

/** What a draft would be shown as, where it is complete enough. */
function previewedOf({ value }: ReadForm, body: FormChanges): PreviewedForm {
  const settings = { ...value.settings, ...body.settings }
  return {
    name: body.name ?? value.name,
    description: body.description ?? value.description,
    fields: ((body.fields as readonly FormField[] | undefined) ?? value.fields).filter(
      ({ id, type }) => Boolean(id) && Boolean(type),
    ),
    settings: { ...(settings.submit_button_text && { submit_button_text: settings.submit_button_text }) },
  }
}

/** The form as visitors see it, while it is changed. Fields can be filled in, to see what conditions do. */
export function Preview({ read, form }: { readonly read: ReadForm; readonly form: FormState }) {
  const place = useRef<HTMLDivElement>(null)
  const [show, setShow] = useState<(form: PreviewedForm) => void>()
  const shown = JSON.stringify(previewedOf(read, form.body as FormChanges))
  useEffect(() => {
    let isGone = false
    if (place.current)
      makePreview(place.current, presentLanguage()).then(
        (made) => isGone || setShow(() => made),
        () => undefined,
      )
    return () => {
      isGone = true
    }
  }, [])
  useEffect(() => show?.(JSON.parse(shown) as PreviewedForm), [show, shown])
  return <div ref={place} className={styles.preview} />
}
