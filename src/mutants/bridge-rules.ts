import type { AnyNode } from 'acorn'
import { withCodeEdited, type AppDocument } from './app-document.ts'
import { bridgeSites, nameOf } from './code-search.ts'
import type { MutantRule } from './mutant.ts'
import { exampleOf, requiredFields, typedFields } from './payload-schema.ts'

/** Faults in what is sent, put at every call of the bridge. */
export const BRIDGE_RULES: readonly MutantRule[] = [
  {
    name: 'drop_bridge_call',
    fault: 'the bridge is never called',
    expected_checks: ['callback.received'],
    make: (app) =>
      made(
        'every sendAction call',
        withSitesReplaced(app, () => '(void 0)'),
      ),
  },
  {
    name: 'wrong_bridge_method',
    fault: 'a method is called that the bridge does not have',
    expected_checks: ['dom.zero_js_errors', 'callback.received'],
    make: (app) =>
      made(
        'every sendAction call',
        withSitesReplaced(app, (payload) => `window.hermes.sendMessage(${payload})`),
      ),
  },
  {
    name: 'rename_required_field',
    fault: 'a required field is sent under another name',
    expected_checks: ['callback.schema'],
    make: (app, task) =>
      requiredFields(task.expected_callback_schema).flatMap((field) =>
        made(field, withPayload(app, `const { ${key(field)}: moved, ...rest } = p; return { ...rest, ${key(`${field}_value`)}: moved }`)),
      ),
  },
  {
    name: 'drop_required_field',
    fault: 'a required field is not sent',
    expected_checks: ['callback.schema'],
    make: (app, task) =>
      requiredFields(task.expected_callback_schema).flatMap((field) =>
        made(field, withPayload(app, `const { ${key(field)}: gone, ...rest } = p; return rest`)),
      ),
  },
  {
    name: 'change_field_type',
    fault: 'a field is sent with another type',
    expected_checks: ['callback.schema'],
    make: (app, task) =>
      typedFields(task.expected_callback_schema)
        .filter((field) => field.required || sendsField(app, field.name))
        .flatMap((field) =>
          made(
            field.name,
            withPayload(app, `return { ...p, ${key(field.name)}: ${otherType(field.type, `p[${JSON.stringify(field.name)}]`)} }`),
          ),
        ),
  },
  {
    name: 'change_item_type',
    fault: 'the items of a list are sent with another type',
    expected_checks: ['callback.schema'],
    make: (app, task) =>
      typedFields(task.expected_callback_schema)
        .filter((field) => field.required && field.itemType !== null)
        .flatMap((field) => {
          const list = `p[${JSON.stringify(field.name)}]`
          return made(
            `${field.name}[]`,
            withPayload(app, `return { ...p, ${key(field.name)}: (${list}.length ? ${list} : ['']).map((value) => ({ value })) }`),
          )
        }),
  },
  {
    name: 'payload_as_text',
    fault: 'the payload is sent as a JSON string',
    expected_checks: ['callback.schema'],
    make: (app) => made('every sendAction call', withPayload(app, 'return JSON.stringify(p)')),
  },
  {
    name: 'payload_not_json',
    fault: 'the payload holds what JSON cannot carry',
    expected_checks: ['callback.schema', 'callback.received'],
    make: (app) => made('every sendAction call', withPayload(app, 'const q = { ...p }; q.self = q; return q')),
  },
  {
    name: 'constant_payload',
    fault: 'the same valid payload is sent whatever the user chose',
    expected_checks: ['callback.payload_reflects_state'],
    make: (app, task) => {
      const choices = requiredFields(task.expected_callback_schema).filter((field) => field !== 'action' && field !== 'topic')
      const asked = task.own_assertions?.payload_reflects_state ?? choices.length > 0
      return asked
        ? made('every sendAction call', withPayload(app, `return ${JSON.stringify(exampleOf(task.expected_callback_schema))}`))
        : []
    },
  },
  {
    name: 'throw_before_send',
    fault: 'an exception is thrown where the payload is made',
    expected_checks: ['dom.zero_js_errors', 'callback.received'],
    make: (app) => made('every sendAction call', withPayload(app, "throw new TypeError('Cannot read properties of undefined')")),
  },
  {
    name: 'console_error_before_send',
    fault: 'console.error is called before sending',
    expected_checks: ['dom.zero_js_errors'],
    make: (app) => made('every sendAction call', withPayload(app, "console.error('could not save the selection'); return p")),
  },
]

function made(at: string, html: string | null): { at: string; html: string }[] {
  return html === null ? [] : [{ at, html }]
}

/** Every bridge call's payload passed through a function body over `p`. */
function withPayload(app: AppDocument, body: string): string | null {
  return withCodeEdited(app, (_unit, tree, code) => {
    const payloads = bridgeSites(tree).flatMap((site) => (site.payload === null ? [] : [site.payload]))
    for (const payload of payloads) code.appendLeft(payload.start, `((p) => { ${body} })(`).appendRight(payload.end, ')')
    return payloads.length > 0
  })
}

function withSitesReplaced(app: AppDocument, replacement: (payload: string) => string): string | null {
  return withCodeEdited(app, (unit, tree, code) => {
    const sites = bridgeSites(tree)
    for (const { call, payload } of sites) {
      code.overwrite(call.start, call.end, replacement(payload === null ? '' : unit.code.slice(payload.start, payload.end)))
    }
    return sites.length > 0
  })
}

/** Whether some call hands over an object literal with this key. */
function sendsField(app: AppDocument, field: string): boolean {
  return app.units.some(
    (unit) => unit.tree !== null && bridgeSites(unit.tree).some((site) => site.payload !== null && hasKey(site.payload, field)),
  )
}

function hasKey(node: AnyNode, field: string): boolean {
  return (
    node.type === 'ObjectExpression' && node.properties.some((property) => property.type === 'Property' && nameOf(property.key) === field)
  )
}

function otherType(type: string, value: string): string {
  switch (type) {
    case 'number':
    case 'integer':
      return `String(${value})`
    case 'array':
      return `[].concat(${value}).join(', ')`
    case 'boolean':
      return `${value} ? 'yes' : 'no'`
    case 'object':
      return `JSON.stringify(${value})`
    default:
      return `[${value}]`
  }
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name)
}
