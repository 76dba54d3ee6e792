import type { Stories } from '../story.ts'
import { CodeBlock } from './code-block.tsx'

const LONG = JSON.stringify({ text: 'ü'.repeat(300), html: '<b>not bold</b>' }, undefined, 2)

export const stories: Stories = { 'a long line': () => <CodeBlock label="Body" text={LONG} /> }
