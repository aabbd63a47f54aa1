import type { TypeOf } from './schema.ts'

/** What the page must compute anew when a range is moved. Formulas: `+ - * / ^`, brackets, numbers, names of `inputs`, `exp(x)` and `ln(x)`. */
export const recomputationSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['what'],
  properties: {
    what: { type: 'string', minLength: 1, description: 'In words, for the evidence' },
    inputs: {
      type: 'array',
      description:
        'What the ranges set; read from the form values of the state. A value above max that is a percentage counts by its hundredth',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'min', 'max'],
        properties: { name: { type: 'string', pattern: '^[a-zA-Z][a-zA-Z0-9_]*$' }, min: { type: 'number' }, max: { type: 'number' } },
      },
    },
    shows: {
      type: 'array',
      description: 'Figures that must stand in the text after every move; of each, one of its formulas, as a number or a percentage',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['figure', 'formulas'],
        properties: {
          figure: { type: 'string', minLength: 1 },
          formulas: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
        },
      },
    },
    changes: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: 'At least so many numbers must change in the text, the moved value apart',
    },
    decides: { type: 'boolean', description: 'Whether a trial fails by it; default false (a diagnostic)' },
  },
} as const
export type Recomputation = TypeOf<typeof recomputationSchema>
