import encodeQR from 'qr'

/** A text for cameras. Always dark on light with a margin, because many readers know nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const cells = encodeQR(text, 'raw', { border: 2 })
  const path = cells.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg className="qr-code" viewBox={`0 0 ${cells.length} ${cells.length}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  )
}
