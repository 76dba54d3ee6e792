import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callConsole } from './console-api.ts'
import { useProject } from './list-query.ts'

/** Milliseconds without a key before the preview is asked for. */
const PAUSE_MS = 400

/** A text of Markdown as readers will see it, a moment after it was typed. */
export function useMarkdown(text: string) {
  const { project } = useProject()
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return useQuery({
    queryKey: [project, 'markdown', asked],
    enabled: asked.trim() !== '',
    queryFn: async ({ signal }) => {
      const { data } = await callConsole<{ data: { content_html: string } }>(
        'POST',
        `/projects/${project}/markdown`,
        { body: { content: asked }, signal },
      )
      return data.content_html
    },
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
