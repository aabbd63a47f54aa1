import { sealOwnEnvironment } from '../agents/own-environment.ts'

/** For doors, once they have read their keys: no program that is started from now on, git included, inherits them or finds them in `/proc`. */
export function hideKeys(): void {
  sealOwnEnvironment()
}
