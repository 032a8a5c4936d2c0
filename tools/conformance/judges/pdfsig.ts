// poppler's pdfsig: the arithmetic of each signature, and whether it covers the whole file. It cannot verify document
// timestamps, and it does not know our root, so trust is not asked for (-nocert).
import { join } from 'node:path'
import type { SignedFile } from '../signed-file.ts'
import { judgeEach, run, versionOf, type Judge } from './judge.ts'

export const pdfsig: Judge = {
  name: 'pdfsig',
  findVersion: () => versionOf('pdfsig', ['-v']),
  judge: (bundle) => judgeEach(bundle, (file) => complaintsAbout(file, join(bundle.folder, file.name))),
}

function complaintsAbout({ levels, isCoveredWhole }: SignedFile, path: string): string[] {
  const { text } = run('pdfsig', ['-nocert', path])
  const sections = text.split(/^Signature #\d+:/m).slice(1)
  const complaints = Object.keys(levels).flatMap((field) => {
    const section = sections.find((candidate) => fieldName(candidate) === field)
    if (section === undefined) return [`${field}: not found`]
    return section.includes('Signature is Valid.') ? [] : [`${field}: ${verdict(section)}`]
  })
  const whole = sections.filter((section) => /^\s*- Total document signed/m.test(section)).length
  if (isCoveredWhole && whole !== 1) complaints.push('nothing covers the whole file')
  return complaints
}

const fieldName = (section: string) => /- Signature Field Name: (.*)/.exec(section)?.[1]
const verdict = (section: string) => /- Signature Validation: (.*)/.exec(section)?.[1] ?? 'no verdict'
