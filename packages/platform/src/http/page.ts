import { Type } from 'typebox'

/** Directions of sorting. */
export const ORDERS = ['asc', 'desc'] as const

/** Records of a page at the most. */
export const LARGEST_PAGE = 100

/** The query parameters of a list. */
export const pageParameters = {
  page: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    default: 1,
    description: 'Which page, from 1; one past the last is empty',
  }),
  limit: Type.Integer({ minimum: 1, maximum: LARGEST_PAGE, default: 20, description: 'Records per page' }),
}

export interface PageRequest {
  readonly page: number
  readonly limit: number
}

/** How many records lie before a page. */
export const offsetOf = ({ page, limit }: PageRequest): number => (page - 1) * limit

/** The body of a list: the records of one page, and how many there are in all. */
export function pageOf<T>({ page, limit }: PageRequest, total: number, data: T[]) {
  return {
    success: true as const,
    data,
    pagination: { page, limit, total, total_pages: Math.ceil(total / limit) },
  }
}
