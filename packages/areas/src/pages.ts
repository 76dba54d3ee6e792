import type { Routes } from '#platform/http/api.ts'
import { authPages } from './auth/pages/routes.ts'
import { bounceRoutes } from './mail/bounce-routes.ts'

/** What is outside of the API and its document, by area: pages for people, and what operators' servers are told. */
export const pages: Readonly<Record<string, Routes>> = { auth: authPages, mail: bounceRoutes }
