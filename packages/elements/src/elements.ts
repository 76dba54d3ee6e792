/** All elements. A page that uses one of them loads less by that element's own entry. */
export * from './account.ts'
export * from './comments.ts'
export * from './feedback.ts'
export * from './form.ts'
export * from './login.ts'
