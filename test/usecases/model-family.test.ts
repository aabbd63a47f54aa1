import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelFamily } from '../../src/usecases/model-family.ts'

test('names of one family meet, whatever stands before and after; names that say nothing meet nobody', () => {
  const families: Readonly<Record<string, readonly string[]>> = {
    gpt: ['gpt-4.1', 'openai/gpt-5.1-mini', 'GPT4o', 'o3-mini', 'chatgpt-4o-latest'],
    claude: ['claude-sonnet', 'anthropic/claude-3.5', 'us.anthropic.claude-v2:0'],
    llama: ['meta-llama/Llama-3.1-70B', 'llama3:8b'],
    qwen: ['Qwen2.5-72B', 'accounts/x/models/qwen3'],
    gemini: ['models/gemini-2.5-pro'],
    '': ['', '7b'],
  }
  for (const [family, names] of Object.entries(families)) {
    for (const name of names) assert.equal(modelFamily(name), family, name)
  }
})
