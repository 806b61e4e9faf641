import { defineConfig } from '@playwright/test'

/** The app as a person sees it: the real UI, served by the real engine, on real machines. */
export default defineConfig({
  testDir: 'e2e',
  workers: 1, // machines share the host's few cores
  timeout: 300_000,
  expect: { timeout: 30_000 },
  use: {
    actionTimeout: 60_000, // what is not there is said so, long before the test's own time is up
    viewport: { width: 1280, height: 800 },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.GODHAND_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox', // tests may run as root
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
})
