import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const never = ['**/node_modules/**', 'dist/**', 'e2e/**']

export default defineConfig({
  test: {
    globalSetup: ['build/test-home.ts'],
    maxWorkers: Math.max(2, availableParallelism() - 1), // much of a unit test is waiting: two fit on two processors
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...never, '**/*.machine.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'machine',
          include: ['**/*.machine.test.ts'],
          exclude: never,
          // Real machines share two or more cores and one template: one file at a time, and time for slow hosts.
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
})
