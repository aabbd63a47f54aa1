/** Families that go by several names. */
const ALIASES: Readonly<Record<string, string>> = { o: 'gpt', chatgpt: 'gpt', codex: 'gpt' }

/**
 * Family of a model by its name: the letters before the first digit or mark, in lower case, without path and vendor before it.
 * `openai/gpt-4.1` → `gpt`, `o3-mini` → `gpt`, `us.anthropic.claude-4` → `claude`, `meta-llama/Llama-3.1-70B` → `llama`. Empty when there are none.
 */
export function modelFamily(name: string): string {
  const last = name.toLowerCase().split('/').at(-1) ?? ''
  const [letters = ''] = /^[a-z]*/.exec(last.replace(/^(?:[a-z]+\.)+(?=[a-z])/, '')) ?? []
  return ALIASES[letters] ?? letters
}
