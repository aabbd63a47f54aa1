import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { parseFragment } from 'parse5'
import {
  annotationText,
  codeBlock,
  codeSpan,
  htmlCode,
  htmlText,
  inertLog,
  inertLogLine,
  ownLink,
  proseText,
  safeAddress,
  scriptJson,
  titleText,
  xmlText,
} from '../../src/report/untrusted-text.ts'
import { byteLength, cutBytes, cutText, visibleText } from '../../src/report/visible-text.ts'
import { asTree, elements, linkableText, liveParts, textOf, walk } from './as-github.ts'
import { HOSTILE } from './fixtures/hostile.ts'

/** Hostile pieces glued together in any order, with any Unicode between. */
const PIECES = [
  ...HOSTILE.flatMap((text) => text.split(' ')),
  '`',
  '``',
  '|',
  '\\',
  '\r',
  '\n',
  '\n\n',
  '<',
  '>',
  '&',
  '::',
  '##[',
  '@',
  '#',
  '\u001B',
  '!',
  '[',
  '](',
  '$',
  '-',
  '    ',
  '\t',
]
const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 12 })
  .map((parts) => parts.join(''))

function forHostile(check: (text: string) => void): void {
  for (const text of HOSTILE) check(text)
  fc.assert(fc.property(hostileText, check), { numRuns: 400, seed: 7 })
}

/** The runner's two grammars of commands (actions/runner, ActionCommand): `::name …::` leads its line, `##[name …]` is found anywhere. */
function runnerCommands(output: string): readonly string[] {
  return output
    .split(/\r\n|\n|\r/u)
    .filter((line) => /^\s*::[^:]*.*::/u.test(line) || line.trimStart().startsWith('::') || /##\[[^\]]*\]?/u.test(line))
}

test('the corpus holds at least 60 different attacks', () => {
  assert.ok(new Set(HOSTILE).size >= 60)
})

describe('Markdown', () => {
  test('a code span in a table cell is one literal in one cell', () => {
    forHostile((text) => {
      const tree = asTree(`| a | b |\n| - | - |\n| ${codeSpan(text, 5000)} | end |\n\nafter`)
      const cells = elements(tree, 'td')
      assert.equal(cells.length, 2)
      const [first] = cells
      assert.ok(first)
      assert.deepEqual(
        first.childNodes.map((node) => node.nodeName),
        ['code'],
      )
      assert.equal(textOf(cells[1]?.childNodes ?? []), 'end')
      assert.equal(linkableText(tree).replaceAll(/\s/gu, ''), 'abendafter')
    })
  })

  test('a code block is one literal and what follows is outside', () => {
    forHostile((text) => {
      const tree = asTree(`<details>\n<summary>s</summary>\n\n${codeBlock(text, 5000)}\n\n</details>\n\nafter`)
      assert.deepEqual(
        elements(tree).map((element) => element.tagName),
        ['details', 'summary', 'pre', 'code', 'p'],
      )
      const [last] = elements(tree, 'p')
      assert.deepEqual([...walk(tree)].find(({ node }) => node === last)?.inside, [])
    })
  })

  test('a code block shows the text itself', () => {
    const text = 'a `b` ```\n~~~ @octocat <b>&amp;</b>\n\n  indented'
    assert.equal(textOf(asTree(codeBlock(text))), `${text}\n`)
  })

  test('prose has no element but code, and nothing that GitHub would link', () => {
    forHostile((text) => {
      const tree = asTree(`before ${proseText(text, 5000)}\n\n- ${proseText(text, 5000)}`)
      const names = new Set(elements(tree).map((element) => element.tagName))
      for (const name of names) assert.ok(['p', 'code', 'ul', 'li'].includes(name), `${name} from ${JSON.stringify(text)}`)
      assert.equal(elements(tree, 'ul').length, 1)
      assert.deepEqual(liveParts(linkableText(tree)), [], JSON.stringify(text))
    })
  })

  test('prose leaves plain sentences as they are', () => {
    for (const sentence of [
      'Regression: 2 of 10 tasks are worse than main (by 12%).',
      'It says “no”, and that is that; is it? Yes!',
      'Résumé über 日本語 → 3/6 pass^3 k=3',
    ]) {
      assert.equal(proseText(sentence), sentence)
    }
    assert.equal(proseText('fails in hitl_reg_01, again.'), 'fails in `hitl_reg_01`, again.')
  })

  test('prose sets names and what is quoted as code, each by itself', () => {
    assert.equal(
      proseText('2 tasks regressed: a_b (3/3 → 0/3), c_d and 1 more.'),
      '2 tasks regressed: `a_b` (3/3 → 0/3), `c_d` and 1 more.',
    )
    assert.equal(proseText('It lacks "plugin.yaml", "register(ctx)" ("a b").'), 'It lacks `plugin.yaml`, `register(ctx)` (`a b`).')
    assert.equal(proseText('Run `npm ci --omit dev` first; pressed: "Dele…'), 'Run `npm ci --omit dev` first; pressed: `Dele…`')
  })

  test('prose loses nothing but quotes, however they stand', () => {
    const letters = fc.constantFrom('"', '`', "'", '(', ')', ' ', ',', '.', '…', 'a', 'b_c', '@d', '1', '“')
    const bare = (text: string): string => text.replaceAll(/["'`\s]/g, '')
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 24 }), (parts) => {
        const text = parts.join('')
        if (bare(text) !== '') assert.equal(bare(textOf(asTree(proseText(text)))), bare(text))
      }),
      { numRuns: 1000 },
    )
  })

  test('a summary line keeps to its code element', () => {
    forHostile((text) => {
      const tree = asTree(`<details>\n<summary>x ${htmlCode(text, 5000)} y</summary>\n\ninside\n\n</details>\n\nafter`)
      assert.deepEqual(
        elements(tree).map((element) => element.tagName),
        ['details', 'summary', 'code', 'p', 'p'],
      )
      const [summary] = elements(tree, 'summary')
      assert.equal(linkableText(summary?.childNodes ?? []).replaceAll(/\s+/gu, ' '), 'x y')
    })
  })

  test('no target lets a comment through, hidden or not', () => {
    forHostile((text) => {
      for (const written of [codeSpan(text), codeBlock(text), proseText(text), htmlCode(text), annotationText(text, 9000)]) {
        assert.ok(!written.includes('<!--'), written)
        assert.ok(!written.includes('-->'), written)
      }
    })
  })

  test('own links take absolute http addresses only, whatever stands in them', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const tree = asTree(`a ${ownLink('Label', `https://example.com/${text}`)} b`)
        assert.deepEqual(
          elements(tree).map((element) => element.tagName),
          ['p', 'a'],
        )
        assert.equal(textOf(tree), 'a Label b')
      }),
      { seed: 3 },
    )
    for (const address of ['javascript:alert(1)', '/relative', 'data:text/html,x', '', 'ftp://x']) assert.equal(safeAddress(address), null)
  })
})

describe('log', () => {
  test('no line is a command of the runner', () => {
    forHostile((text) => {
      assert.deepEqual(runnerCommands(inertLog(text)), [])
      assert.deepEqual(runnerCommands(inertLogLine(text)), [])
      assert.ok(!/[\r\n]/u.test(inertLogLine(text)))
    })
  })

  test('the port of the runner grammar sees commands where they are', () => {
    for (const line of ['::error::x', '  ::set-output name=a::b', 'log: ##[error]x', 'quiet\r::error::x']) {
      assert.equal(runnerCommands(line).length, 1, line)
    }
    assert.equal(runnerCommands('log: ::error::x').length, 0)
  })
})

describe('plain text', () => {
  test('annotations hold no emoji, no control character, nothing to link, and keep to their bytes', () => {
    forHostile((text) => {
      const message = annotationText(text, 300)
      assert.ok(byteLength(message) <= 300)
      assert.ok(!/[\u{10000}-\u{10FFFF}]/u.test(message))
      assert.ok(message.isWellFormed())
      assert.ok(!/:\/\/|@[\w-]|#\d|www\./u.test(message), message)
      assert.ok(titleText(text).length <= 255)
      assert.ok(!/[\r\n]/u.test(titleText(text)))
    })
  })

  test('invisible characters are spelled out; emoji stay whole', () => {
    assert.equal(visibleText('a\u202Eb\u200Bc\u00ADd'), 'a⟨U+202E⟩b⟨U+200B⟩c⟨U+00AD⟩d')
    assert.equal(visibleText('👨‍👩‍👧 ❤️ 1️⃣'), '👨‍👩‍👧 ❤️ 1️⃣')
    assert.equal(visibleText('\u001B[31mred\u001B[0m\u001B]8;;https://x\u0007link\u001B]8;;\u0007'), 'redlink')
    assert.equal(visibleText('a\r\nb\rc\u2028d'), 'a\nb\nc\nd')
  })

  test('making visible twice changes nothing more', () => {
    forHostile((text) => {
      assert.equal(visibleText(visibleText(text)), visibleText(text))
    })
  })

  test('cuts never split a character and never exceed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 60 }), (text, most) => {
        const whole = text.toWellFormed()
        assert.ok(cutText(whole, most).isWellFormed())
        assert.ok(cutText(whole, most).length <= most)
        assert.ok(byteLength(cutBytes(whole, most + 3)) <= most + 3)
        assert.ok(cutBytes(whole, most + 3).isWellFormed())
      }),
    )
  })
})

describe('HTML, JSON and XML', () => {
  test('text and attributes stay text', () => {
    forHostile((text) => {
      const tree = parseFragment(`<p title="${htmlText(text)}">${htmlText(text)}</p>`).childNodes
      assert.deepEqual(
        elements(tree).map((element) => element.tagName),
        ['p'],
      )
      const [paragraph] = elements(tree, 'p')
      assert.deepEqual(
        paragraph?.attrs.map((each) => each.name),
        ['title'],
      )
    })
  })

  test('JSON in a script cannot end it and reads back the same', () => {
    forHostile((text) => {
      const written = scriptJson({ [text]: text })
      assert.ok(!written.includes('<'))
      assert.deepEqual(JSON.parse(written), JSON.parse(JSON.stringify({ [text]: text })))
    })
  })

  test('XML text has no character that XML 1.0 forbids and no end of a CDATA section', () => {
    forHostile((text) => {
      // eslint-disable-next-line no-control-regex
      assert.ok(!/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/u.test(xmlText(text)))
      assert.ok(!xmlText(text).includes(']]>'))
    })
  })
})
