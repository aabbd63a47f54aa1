/** Version of this package; `test/documents.test.ts` holds it against package.json, which a packaged `dist/` need not have beside it. */
export const VERSION = '0.1.0'
