/** Shapes of credentials that are never written down, whoever's they are. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9._-]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{35}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /(?<=\bBearer\s+)[A-Za-z0-9._~+/=-]{16,}/gi,
]

export const REDACTED = '[redacted]'

/**
 * Makes a function that removes secrets from text: by value (each given secret of 6 characters or more, also as it stands inside JSON,
 * a URL or base64 of its own) and by shape. Pure; apply it before anything is written or shown.
 */
export function createRedactor(secrets: readonly (string | null | undefined)[]): (text: string) => string {
  const values = new Set<string>()
  for (const secret of secrets) {
    if (secret === null || secret === undefined || secret.length < 6) continue
    values.add(secret)
    values.add(JSON.stringify(secret).slice(1, -1))
    values.add(encodeURIComponent(secret))
    values.add(base64(secret))
  }
  // Longest first, so that a secret that contains another leaves no rest.
  const ordered = [...values].sort((a, b) => b.length - a.length)
  return (text) => {
    let clean = text
    for (const value of ordered) clean = clean.replaceAll(value, REDACTED)
    for (const shape of SECRET_SHAPES) clean = clean.replaceAll(shape, REDACTED)
    return clean
  }
}

/** Base64 of the UTF-8 bytes, without padding, so that it is found with or without it. */
function base64(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return btoa(String.fromCharCode(...bytes)).replaceAll('=', '')
}
