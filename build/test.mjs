// npm test
import { bootstrapAndRun } from './bootstrap.mjs'

await bootstrapAndRun('build/test.ts', process.argv.slice(2))
