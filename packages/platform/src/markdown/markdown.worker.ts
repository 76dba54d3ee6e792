// What threads do with a Markdown text.
import { render } from './render.ts'

export default render
