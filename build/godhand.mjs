#!/usr/bin/env node
// npx godhand
import { bootstrapAndRun } from './bootstrap.mjs'

await bootstrapAndRun('main/shell/cli.ts', process.argv.slice(2))
