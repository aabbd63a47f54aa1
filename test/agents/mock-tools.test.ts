import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { answerMockTool, BENCH_TOOLS } from '../../src/agents/mock-tools.ts'
import type { MockToolCall } from '../../src/model/task.ts'

const FILE: MockToolCall = { tool: 'read_file', args: { path: 'notes/raft.md' }, output: 'raft notes' }
const SEARCH: MockToolCall = {
  tool: 'web_search',
  args: { query: 'Raft consensus decomposition' },
  output: 'Raft decomposes consensus into Leader Election, Log Replication, Safety.',
}
const LIST: MockToolCall = { tool: 'execute_command', args: { cmd: 'ls -lh ~/Downloads' }, output: '1.4G ubuntu.iso' }
const PROCESSES: MockToolCall = { tool: 'execute_command', args: { cmd: 'ps aux --sort=-%mem | head -n 5' }, output: 'PID 4812' }
const MEMORY: MockToolCall = { tool: 'memory_read', args: { key: 'weak_spots' }, output: 'weak: PACELC' }

test('a call that means the same is answered with the mocked output, whatever the spelling', () => {
  const cases: [MockToolCall, Record<string, unknown>][] = [
    [FILE, { path: 'notes/raft.md' }],
    [FILE, { path: './Notes//raft.md' }],
    [FILE, { file_path: '/home/me/raft.md' }],
    [FILE, { path: 'raft.md', limit: 100 }],
    [SEARCH, { query: 'raft consensus algorithm explained' }],
    [SEARCH, { q: 'leader election log replication safety' }],
    [LIST, { command: 'ls -la ~/Downloads/' }],
    [LIST, { cmd: 'du -sh /home/me/Downloads/*' }],
    [LIST, { cmd: 'sudo find $HOME/Downloads -type f' }],
    [PROCESSES, { cmd: 'top -b -n 1' }],
    [PROCESSES, { cmd: 'free -h && ps aux' }],
    [MEMORY, {}],
    [MEMORY, { key: 'anything' }],
  ]
  for (const [mock, args] of cases) {
    const answer = answerMockTool([mock], mock.tool, args)
    assert.equal(answer.result, mock.output, JSON.stringify(args))
    assert.equal(answer.matched, true)
  }
})

test('any other call gets an explicit empty result of its own kind', () => {
  const all = [FILE, SEARCH, LIST, PROCESSES]
  const cases: [MockToolCall['tool'], Record<string, unknown>, RegExp][] = [
    ['read_file', { path: 'notes/paxos.md' }, /No such file: notes\/paxos\.md/],
    ['web_search', { query: 'best pizza in Naples' }, /No results found for "best pizza in Naples"/],
    ['execute_command', { cmd: 'ls ~/Documents' }, /cannot access/],
    ['execute_command', { cmd: 'uptime' }, /no output, exit code 0/],
    ['execute_command', {}, /no command/],
    ['memory_read', { key: 'x' }, /No memories/],
    ['fetch_unread_emails', { limit: 3 }, /No unread emails/],
  ]
  for (const [tool, args, expected] of cases) {
    const answer = answerMockTool(all, tool, args)
    assert.match(answer.result, expected)
    assert.equal(answer.matched, false)
  }
})

test('of several mocks of a tool the likeliest answers', () => {
  const other: MockToolCall = { tool: 'read_file', args: { path: 'old/raft.md' }, output: 'old notes' }
  assert.equal(answerMockTool([other, FILE], 'read_file', { path: 'notes/raft.md' }).result, 'raft notes')
})

test('the result is never empty and never data that the task does not hold', () => {
  const args = fc.dictionary(
    fc.constantFrom('path', 'query', 'cmd', 'key', 'limit'),
    fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
  )
  fc.assert(
    fc.property(
      fc.constantFrom('read_file', 'web_search', 'execute_command', 'memory_read', 'fetch_unread_emails'),
      args,
      (tool, given) => {
        const own = answerMockTool([FILE, SEARCH], tool, given)
        assert.notEqual(own.result.trim(), '')
        if (!own.matched) assert.ok(own.result !== FILE.output && own.result !== SEARCH.output)
        const none = answerMockTool([], tool, given)
        assert.equal(none.matched, false)
        assert.notEqual(none.result.trim(), '')
      },
    ),
    { numRuns: 300 },
  )
})

test('the benchmark tools are the same six, whatever the task', () => {
  assert.deepEqual(BENCH_TOOLS.map((tool) => tool.name).sort(), [
    'execute_command',
    'fetch_unread_emails',
    'memory_read',
    'read_file',
    'web_search',
    'write_file',
  ])
})
