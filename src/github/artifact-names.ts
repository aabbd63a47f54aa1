/** Longest artifact name that we make; GitHub names no limit, file systems do. */
const LONGEST = 100

/**
 * An artifact name from its parts (input `artifact-name`, configuration, shard, attempt …): only letters, digits, `. _ -`, at most 100 characters.
 * Empty parts are left out.
 */
export function artifactName(parts: readonly string[]): string {
  const name = parts
    .map((part) =>
      part
        .normalize('NFKD')
        .replace(/[^A-Za-z0-9._-]+/g, '-')
        .replace(/^[-.]+|[-.]+$/g, ''),
    )
    .filter((part) => part !== '')
    .join('-')
    .slice(0, LONGEST)
  return name === '' ? 'genui-eval' : name
}

/** The n-th name to try when others are taken: `name`, `name-2`, `name-3` … `extension` stays at the end. */
export function freeName(name: string, extension: string, n: number): string {
  return n === 1 ? `${name}${extension}` : `${name}-${n}${extension}`
}

/** True for a path that GitHub takes inside an artifact and every file system can hold. */
export function isArtifactPath(path: string): boolean {
  return path !== '' && !/[":<>|*?\r\n\\]/.test(path) && !path.split('/').includes('..')
}
