import { EXIT, type OpenCommand } from '../command-line/command.ts'
import { verifyHistoryFile } from '../verify-history-file.ts'

export const history: OpenCommand = {
  purpose: 'verify the saved history of a signature request: history verify FILE',
  async runWith(args, { out }) {
    if (!args.includes('--help') && !args.includes('-h')) {
      // It reads its own arguments, as they stand after its name.
      process.argv.splice(2, 1)
      await import('../history.ts')
      return undefined
    }
    verifyHistoryFile([], (line) => out(`${line}\n`))
    return EXIT.good
  },
}
