import type { AnyNode, CallExpression, Expression, SpreadElement } from 'acorn'
import { ancestor, simple } from 'acorn-walk'

/** A call of the bridge, with its payload argument (null when it is called without). */
export interface BridgeSite {
  readonly call: CallExpression
  readonly payload: Expression | SpreadElement | null
  /** From the root to the call. */
  readonly ancestors: readonly AnyNode[]
}

/** Calls of `….sendAction(payload)`; where there is none, of a bare `sendAction(payload)` taken off the bridge. */
export function bridgeSites(tree: AnyNode): BridgeSite[] {
  const members: BridgeSite[] = []
  const bare: BridgeSite[] = []
  ancestor(tree, {
    CallExpression(call, _state, ancestors) {
      const site = { call, payload: call.arguments[0] ?? null, ancestors: [...ancestors] as AnyNode[] }
      if (call.callee.type === 'MemberExpression' && nameOf(call.callee.property) === 'sendAction') members.push(site)
      if (call.callee.type === 'Identifier' && call.callee.name === 'sendAction') bare.push(site)
    },
  })
  return members.length > 0 ? members : bare
}

/** A place where code is hung on an event. `remove` is the range whose removal detaches it. */
export interface ListenerSite {
  readonly event: string
  readonly handler: AnyNode
  readonly start: number
  readonly end: number
}

/** `x.addEventListener('event', handler)` and `x.onevent = handler`. */
export function listenerSites(tree: AnyNode): ListenerSite[] {
  const sites: ListenerSite[] = []
  simple(tree, {
    CallExpression(call) {
      if (call.callee.type !== 'MemberExpression' || nameOf(call.callee.property) !== 'addEventListener') return
      const [event, handler] = call.arguments
      if (event === undefined || handler === undefined) return
      const name = event.type === 'Literal' && typeof event.value === 'string' ? event.value : '?'
      sites.push({ event: name, handler, start: call.start, end: call.end })
    },
    AssignmentExpression(assignment) {
      if (assignment.left.type !== 'MemberExpression') return
      const property = nameOf(assignment.left.property)
      if (!/^on[a-z]+$/u.test(property)) return
      sites.push({ event: property.slice(2), handler: assignment.right, start: assignment.start, end: assignment.end })
    },
  })
  return sites
}

/** Whether running this code may call the bridge, directly or through functions of the same tree. */
export function reachesBridge(tree: AnyNode): (code: AnyNode) => boolean {
  const bodies = namedFunctions(tree)
  const reaching = new Set<string>(['sendAction'])
  for (let grown = true; grown;) {
    grown = false
    for (const [name, body] of bodies) {
      if (reaching.has(name) || ![...namesIn(body)].some((used) => reaching.has(used))) continue
      reaching.add(name)
      grown = true
    }
  }
  return (code) => [...namesIn(code)].some((used) => reaching.has(used))
}

/** Functions of a tree by the name they are called by (methods by their own name). */
function namedFunctions(tree: AnyNode): [string, AnyNode][] {
  const found: [string, AnyNode][] = []
  const add = (name: string, body: AnyNode | null | undefined): void => {
    if (name !== '' && body !== null && body !== undefined && /Function/u.test(body.type)) found.push([name, body])
  }
  simple(tree, {
    FunctionDeclaration: (node) => void found.push([nameOf(node.id), node]),
    VariableDeclarator: (node) => add(nameOf(node.id), node.init as AnyNode | null | undefined),
    AssignmentExpression: (node) =>
      add(node.left.type === 'MemberExpression' ? nameOf(node.left.property) : nameOf(node.left), node.right as AnyNode),
    Property: (node) => add(nameOf(node.key), node.value as AnyNode),
    MethodDefinition: (node) => add(nameOf(node.key), node.value as AnyNode),
    PropertyDefinition: (node) => add(nameOf(node.key), node.value as AnyNode | null | undefined),
  })
  return found
}

function namesIn(code: AnyNode): Set<string> {
  const names = new Set<string>()
  if (code.type === 'Identifier') names.add(code.name)
  simple(code, {
    Identifier: (node) => void names.add(node.name),
    MemberExpression: (node) => void names.add(nameOf(node.property)),
  })
  return names
}

/** Name of an identifier, private name or string key; empty for anything else. */
export function nameOf(node: { readonly type: string; readonly name?: string; readonly value?: unknown } | null | undefined): string {
  if (node === null || node === undefined) return ''
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node.name ?? ''
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : ''
}
