// A document to try things with: one page, made here, so that nobody needs a file at hand. Pure.

const LINES: [size: number, y: number, text: string][] = [
  [22, 760, 'Agreement to try this out'],
  [12, 720, 'This page was made by Countersign for your first steps. It obliges nobody to anything.'],
  [12, 696, 'When you sign it, you get a certificate of your own for this one signature, a timestamp, the'],
  [12, 680, 'seal of your organisation, and the evidence of everything that happened.'],
  [12, 640, 'What you can do with it afterwards:'],
  [12, 616, '-  open it in a PDF reader, and look at its signatures;'],
  [12, 600, '-  change one letter of it, and see how every validator notices;'],
  [12, 584, '-  verify it at /verify, without signing in.'],
]

/** A PDF of one page (ISO 32000-1 7.5): header, objects, cross-reference table, trailer. */
export function makeSampleDocument(): Uint8Array<ArrayBuffer> {
  const content = LINES.map(([size, y, text]) => `BT /F1 ${size} Tf 72 ${y} Td (${escape(text)}) Tj ET`).join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

function escape(text: string): string {
  return text.replaceAll(/[\\()]/g, String.raw`\$&`)
}
