#!/usr/bin/env node
// The command `countersign`; src/main/commands has one file for each thing that it can do.
import { launch } from './launch.js'

await launch(new URL('../src/main/countersign.ts', import.meta.url))
