import type { Routes } from '#platform/http/api.ts'
import { authPages } from './auth/page-routes.ts'

/** Pages for people, outside of the API and its document, by area. */
export const pages: Readonly<Record<string, Routes>> = { auth: authPages }
