// npm start
import { bootstrapAndRun } from './bootstrap.mjs'

await bootstrapAndRun('build/launch.ts', process.argv.slice(2))
