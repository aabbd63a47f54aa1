import { all, type Heuristic } from './looking.ts'
import type { Material } from './material.ts'

/** Longest answer to a short question, words. */
const SHORT = 80

const inWords = ({ toolCalls, words }: Material) => ({
  met: !toolCalls.includes('render_micro_app') && words !== '',
  what: 'the answer is in words and render_micro_app was not called',
  quote: toolCalls.find((name) => name === 'render_micro_app') ?? words.split('\n')[0],
})

const brief = ({ words }: Material) => ({
  met: words.split(/\s+/).length <= SHORT,
  what: `the answer has at most ${SHORT} words`,
  quote: words.split('\n')[0],
})

const holds = (material: Material, pattern: RegExp, what: string) => ({
  met: pattern.test(material.words),
  what,
  quote: material.words.split('\n').find((line) => pattern.test(line)),
})

export const ANSWERS_IN_WORDS: Readonly<Record<string, Heuristic>> = {
  no_overtriggering_on_simple_fact: (material) =>
    all(inWords(material), brief(material), holds(material, /pass\^\{?k\}?\s*=\s*p\s*\^|p\^\{?k/i, 'the formula p^k is given'), {
      met: !/1\s*[−-]\s*\(\s*1/.test(material.words),
      what: 'it is not the formula of pass@k',
    }),
  no_overtriggering_on_cli_lookup: (material) =>
    all(inWords(material), brief(material), holds(material, /`?hermes plugins? list\b/, 'the command that lists plugins is given')),
  no_overtriggering_on_direct_action: (material) =>
    all(
      inWords(material),
      { met: material.toolCalls.includes('write_file'), what: 'the file was written with a tool', quote: material.words.split('\n')[0] },
      holds(material, /hello\.py/, 'hello.py is named as done'),
    ),
  no_overtriggering_on_one_sentence_definition: (material) =>
    all(inWords(material), holds(material, /low-rank adaptation/i, 'the acronym is spelled out'), {
      met:
        material.words
          .trim()
          .split(/[.!?](?:\s|$)/)
          .filter((sentence) => sentence.trim() !== '').length === 1,
      what: 'it is one sentence',
      quote: material.words.split('\n')[0],
    }),
}
