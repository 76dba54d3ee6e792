/** An address of a project's own with an id in it; undefined where the project has none. */
export const linkTo = (template: string | null, id: string): string | undefined =>
  template?.replace('{id}', encodeURIComponent(id))
