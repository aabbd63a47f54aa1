// A judge's endpoint on loopback: it reads the prompt as a model would, quotes the user's prompt, and says what the test wants.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the service says to a question: a verdict, the whole content of an answer, or a status with an error. */
export type Saying = 'PASS' | 'FAIL' | { readonly content: string } | { readonly status: number; readonly error: string }

export interface Question {
  /** Text of all messages. */
  readonly prompt: string
  readonly rubric: string
  readonly images: number
  readonly authorization: string
}

export interface JudgeService extends AsyncDisposable {
  readonly url: string
  readonly questions: readonly Question[]
}

interface Message {
  readonly content: string | readonly { readonly type: string; readonly text?: string }[]
}

export async function startJudgeService(say: (question: Question, number: number) => Saying): Promise<JudgeService> {
  const questions: Question[] = []
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const answer = (status: number, value: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      const { authorization = '' } = request.headers
      if (request.method === 'GET') return answer(200, { object: 'list', data: [{ id: 'strict-judge' }] })
      const question = { ...readQuestion(JSON.parse(body)), authorization }
      questions.push(question)
      const saying = say(question, questions.length)
      if (typeof saying === 'object' && 'status' in saying) return answer(saying.status, { error: { message: saying.error } })
      const content = typeof saying === 'object' ? saying.content : verdict(saying, question.prompt)
      const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 }
      const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }]
      return answer(200, { id: 'j', object: 'chat.completion', created: 0, model: 'strict-judge', choices, usage })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    questions,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function readQuestion({ messages }: { readonly messages: readonly Message[] }): Omit<Question, 'authorization'> {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content))
  const prompt = parts.map(({ text = '' }) => text).join('\n')
  const [, rubric = ''] = /^Rubric (\w+):$/m.exec(prompt) ?? []
  return { prompt, rubric, images: parts.filter(({ type }) => type === 'image_url').length }
}

/** An exact answer that quotes the first line between data marks. */
function verdict(word: 'PASS' | 'FAIL', prompt: string): string {
  const [, line = ''] = /^\[data \w+\]\n(.{3,120})/m.exec(prompt) ?? []
  return JSON.stringify({ evidence: line, reason: `Because the script says ${word}.`, verdict: word })
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
