import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { catalogueOf } from '#platform/area.ts'
import { listEventTypes } from './service.ts'

// As a customer has it: strict about keywords and formats that it does not know.
const ajv = addFormats.default(new Ajv2020({ strictSchema: true, allowUnionTypes: true, allErrors: true }))

test.each(listEventTypes(catalogueOf(areas).events).map((type) => [type.name, type] as const))(
  'the example of %s fits its schema',
  (_, type) => {
    const fits = ajv.validate(type.schema as object, type.example)
    expect(ajv.errorsText()).toBe('No errors')
    expect(fits).toBe(true)
    // So that the schema says something: a message without its data does not fit.
    expect(ajv.validate(type.schema as object, { ...(type.example as object), data: {} })).toBe(false)
  },
)
