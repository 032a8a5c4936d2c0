#!/usr/bin/env node
// The command `countersign`; src/main/commands has one file for each thing that it can do.
import { findEntry, launch } from './launch.js'

await launch(findEntry('countersign'))
