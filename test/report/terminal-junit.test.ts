import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import picocolors from 'picocolors'
import stringWidth from 'string-width'
import { junitXml } from '../../src/report/junit.ts'
import { NO_COLOURS, terminalReport } from '../../src/report/terminal.ts'
import { HOSTILE, hostileResults } from './fixtures/hostile.ts'
import { allAlike, healthy, inconclusive, manyTasks, regressed } from './fixtures/runs.ts'
import { matchesGolden } from './golden.ts'

describe('terminal', () => {
  test('golden at 110 and 60 columns', () => {
    matchesGolden('terminal-regressed.txt', terminalReport(regressed(), { paint: NO_COLOURS, width: 110 }))
    matchesGolden('terminal-inconclusive-60.txt', terminalReport(inconclusive(), { paint: NO_COLOURS, width: 60 }))
  })

  test('keeps to the width, the command to copy apart', () => {
    for (const width of [40, 60, 80, 120, 200]) {
      for (const line of terminalReport(manyTasks(20), { paint: NO_COLOURS, width }).split('\n')) {
        assert.ok(line.startsWith('repeat:') || stringWidth(line) <= width, `${stringWidth(line)} columns of ${width}: ${line}`)
      }
    }
  })

  test('tells once what all trials share', () => {
    const report = terminalReport(allAlike(), { paint: NO_COLOURS, width: 200 })
    assert.equal(report.split('could not be loaded').length, 2, report)
    assert.match(report, /^All 9 trials failed alike: plugin_error The plugin could not be loaded/mu)
  })

  test('colours only add escapes', () => {
    const paint = picocolors.createColors(true)
    const coloured = terminalReport(healthy(), { paint, width: 100 })
    assert.ok(coloured.includes('\u001B['))
    // eslint-disable-next-line no-control-regex
    assert.equal(coloured.replaceAll(/\u001B\[\d+m/gu, ''), terminalReport(healthy(), { paint: NO_COLOURS, width: 100 }))
  })

  test('hostile text sends no escape, no command and no line of its own', () => {
    const plain = terminalReport(hostileResults('x'), { paint: NO_COLOURS, width: 10_000 }).split('\n').length
    for (const text of HOSTILE.filter((each) => each.trim() !== '')) {
      const report = terminalReport(hostileResults(text), { paint: NO_COLOURS, width: 10_000 })
      // eslint-disable-next-line no-control-regex
      assert.ok(!/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/u.test(report), JSON.stringify(text))
      assert.ok(!/^\s*::/mu.test(report) && !report.includes('##['), JSON.stringify(text))
      assert.ok(report.split('\n').length <= plain, JSON.stringify(text))
    }
  })
})

describe('JUnit', () => {
  interface Suites {
    readonly testsuites: { readonly testsuite: readonly { readonly '@_name': string; readonly testcase: readonly Case[] }[] }
  }
  interface Case {
    readonly '@_name': string
    readonly failure?: { readonly '@_message': string; readonly '@_type': string }
    readonly error?: unknown
    readonly skipped?: unknown
  }
  const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'testsuite' || name === 'testcase' })
  const casesOf = (xml: string): readonly Case[] => {
    const document: Suites = parser.parse(xml)
    return document.testsuites.testsuite.flatMap((suite) => suite.testcase)
  }

  test('golden', () => matchesGolden('junit-regressed.xml', junitXml(regressed())))

  test('red is the gate’s red: failing trials of stable tasks fail no case', () => {
    const cases = casesOf(junitXml(regressed()))
    assert.deepEqual(
      cases.filter((each) => each.failure !== undefined).map((each) => each['@_name']),
      ['verdict', 'hitl_reg_01', 'sim_reg_01'],
    )
    assert.ok(casesOf(junitXml(healthy())).every((each) => each.failure === undefined && each.error === undefined))
    const undecided = casesOf(junitXml(inconclusive()))
    assert.ok(undecided.find((each) => each['@_name'] === 'verdict')?.error !== undefined)
    assert.ok(undecided.find((each) => each['@_name'] === 'study_reg_01')?.skipped !== undefined)
  })

  test('is well-formed whatever the texts hold', () => {
    for (const text of HOSTILE) {
      const xml = junitXml(hostileResults(text))
      assert.equal(XMLValidator.validate(xml), true, JSON.stringify(text))
      assert.equal(casesOf(xml).length, 4, JSON.stringify(text))
    }
  })
})
