import type { Letter } from './letter.ts'

/** The plain part of an e-mail; it reads well alone. */
export function writeText(letter: Letter): string {
  const { organisation, department, greeting, headline, lines, code, button, notes, real, footer, report } = letter
  const blocks = [
    department === undefined ? organisation : `${organisation}\n${department}`,
    greeting,
    code === undefined ? [headline, ...lines].join('\n') : [headline, '', `    ${code}`, '', ...lines].join('\n'),
    button === undefined ? '' : `${button.label}:\n${button.url}`,
    notes.join('\n'),
    real === undefined ? '' : [real.title, ...real.lines.map((line) => `- ${line}`)].join('\n'),
    // The mark before a signature (RFC 3676 4.3): programs show what follows as such.
    report === undefined ? `-- \n${footer}` : `-- \n${footer}\n${report.label}:\n${report.url}`,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}
