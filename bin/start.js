#!/usr/bin/env node
// `npm start`: the whole of Countersign, with a database of its own unless DATABASE_URL names another.
import { launch } from './launch.js'

await launch(new URL('../src/main/start.ts', import.meta.url))
