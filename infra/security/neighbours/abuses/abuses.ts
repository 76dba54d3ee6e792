/** Every abuse. */
import type { Abuse } from '../abuse.ts'
import { guessingAbuses } from './guessing.ts'
import { numberAbuses } from './numbers.ts'
import { readingAbuses } from './reading.ts'
import { ruleAbuses } from './rules.ts'
import { transferAbuses } from './transfers.ts'
import { writingAbuses } from './writing.ts'

export const ABUSES: readonly Abuse[] = [
  ...readingAbuses,
  ...ruleAbuses,
  ...writingAbuses,
  ...guessingAbuses,
  ...transferAbuses,
  ...numberAbuses,
]
