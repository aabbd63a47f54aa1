import { defineConfig } from '@playwright/test'

/** What `playwright test` does by default, with our browser: a fresh context and page for each test, a browser for each worker. */
export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: 'published.spec.ts',
  fullyParallel: true,
  workers: Number(process.env['WORKERS'] ?? '2'),
  repeatEach: Number(process.env['REPEATS'] ?? '1'),
  reporter: [['json', { outputFile: process.env['RESULTS_FILE'] ?? 'results.json' }]],
  outputDir: process.env['OUTPUT_FOLDER'] ?? 'output',
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      ...(process.env['BROWSER_FILE'] === undefined ? {} : { executablePath: process.env['BROWSER_FILE'] }),
      chromiumSandbox: process.getuid?.() !== 0,
    },
  },
})
