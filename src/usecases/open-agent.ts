import { createBuiltinAgent } from '../agents/builtin.ts'
import { createCommandAgent } from '../agents/command.ts'
import { createHermesAgent } from '../agents/hermes.ts'
import { createReplayAgent } from '../agents/replay.ts'
import type { Agent } from '../model/agent.ts'
import type { AgentChoice } from '../model/config.ts'

export interface AgentSurroundings {
  /** Where a Hermes environment is kept between runs; null = the project's own `.genui-eval/`. */
  readonly cacheFolder: string | null
  readonly onProgress: (line: string) => void
  /** Ends the installation of an agent. */
  readonly signal?: AbortSignal
}

/** The agent that the config asks for. Throws UserError when what it needs is not there. */
export async function openAgent(choice: AgentChoice, surroundings: AgentSurroundings): Promise<Agent> {
  switch (choice.kind) {
    case 'builtin':
      return createBuiltinAgent({ python: choice.python })
    case 'command':
      return createCommandAgent({ command: choice.command })
    case 'replay':
      return createReplayAgent({ runFolder: choice.run_folder })
    case 'hermes':
      return createHermesAgent({ python: choice.python, version: choice.version, asShipped: choice.as_shipped, ...surroundings })
  }
}
