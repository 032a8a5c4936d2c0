// `countersign history verify FILE` checks a saved history offline, with no database and no configuration;
// `countersign history audit` checks every event of an installation against the log.
import { auditHistory } from './audit-history.ts'
import { verifyHistoryFile } from './verify-history-file.ts'

const args = process.argv.slice(2)
const say = (line: string) => console.log(line)
process.exitCode = args[0] === 'audit' ? await auditHistory(args, say) : verifyHistoryFile(args, say)
