// `countersign history verify FILE`: checks a saved history offline, with no database and no configuration.
import { verifyHistoryFile } from './verify-history-file.ts'

process.exitCode = verifyHistoryFile(process.argv.slice(2), (line) => console.log(line))
