import type { FormFieldType, FormType } from '@guildhall/sdk'
import { t } from '../../data/words.ts'

export const FORM_TYPES: readonly FormType[] = ['contact', 'signup', 'feedback', 'custom']

export const formTypeName = (type: string): string =>
  ({ contact: t('Contact'), signup: t('Sign-up'), feedback: t('Feedback'), custom: t('Other') })[type] ?? type

/** The types of fields, in the order in which they are offered. */
export const FIELD_TYPES: readonly FormFieldType[] = [
  ...(['text', 'textarea', 'email', 'phone', 'url', 'number', 'date'] as const),
  ...(['select', 'radio', 'multi_select', 'checkbox', 'rating', 'file'] as const),
  ...(['consent', 'password', 'hidden', 'section'] as const),
]

export const fieldTypeName = (type: string): string =>
  ({
    text: t('Text'),
    textarea: t('Long text'),
    email: t('Email address'),
    phone: t('Phone number'),
    url: t('Web address'),
    number: t('Number'),
    date: t('Date'),
    select: t('List to choose from'),
    radio: t('One of several'),
    multi_select: t('Any of several'),
    checkbox: t('Checkbox'),
    rating: t('Rating'),
    file: t('File'),
    consent: t('Consent'),
    password: t('Password'),
    hidden: t('Hidden value'),
    section: t('Heading'),
  })[type] ?? type
