#!/usr/bin/env node
// `npm start`: the whole of Countersign, with a database of its own unless DATABASE_URL names another.
import { findEntry, launch } from './launch.js'

await launch(findEntry('start'))
