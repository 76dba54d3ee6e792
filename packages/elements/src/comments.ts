export { configure } from './base/connection.ts'
