import { createRootRoute, createRoute, type lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { readListSearch } from '../../data/list-query.ts'
import { Alone } from '../alone.tsx'
import { NotFound } from '../not-found.tsx'
import { Shell } from '../shell.tsx'

export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })
/** What is below it has the data of one side of a project. */
export const side = createRoute({ getParentRoute: () => root, path: '/$project/$side', component: Shell })

/** What is below it belongs to the operator, and to no project. */
export const own = createRoute({ getParentRoute: () => root, id: 'own', component: Alone })

type Component = ReturnType<typeof lazyRouteComponent>

/** A screen with a list: its address has the page, the order, and what is searched and filtered. */
export const list = <Path extends string>(path: Path, component: Component) =>
  createRoute({ getParentRoute: () => side, path, component, validateSearch: readListSearch })

export const screen = <Path extends string>(path: Path, component: Component) =>
  createRoute({ getParentRoute: () => side, path, component })

export const ownScreen = <Path extends string>(path: Path, component: Component) =>
  createRoute({ getParentRoute: () => own, path, component })
