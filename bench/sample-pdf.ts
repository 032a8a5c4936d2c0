import { randomBytes } from 'node:crypto'

/** A well-formed PDF of about the given size: one page, and a content stream that fills it up. No two are the same. */
export function samplePdf(sizeBytes: number): Buffer {
  const filling = Buffer.alloc(Math.max(0, sizeBytes - 700), '% nothing to see here, only bytes to carry\n')
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /Number (${randomBytes(8).toString('hex')}) >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << >> >>',
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%âãÏÓ\n', 'latin1')]
  const offsets: number[] = []
  const at = () => parts.reduce((sum, part) => sum + part.length, 0)
  for (const [index, object] of objects.entries()) {
    offsets.push(at())
    parts.push(Buffer.from(`${index + 1} 0 obj\n${object}\nendobj\n`))
  }
  offsets.push(at())
  parts.push(
    Buffer.from(`4 0 obj\n<< /Length ${filling.length} >>\nstream\n`),
    filling,
    Buffer.from('\nendstream\nendobj\n'),
  )
  const xref = at()
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 5\n0000000000 65535 f \n${entries}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}
