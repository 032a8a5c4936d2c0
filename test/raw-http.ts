import { connect } from 'node:net'

/** Sends bytes exactly as given and answers with everything that came back: HTTP clients would tidy them up first. */
export function sendRaw(
  url: string,
  bytes: string | Buffer,
  { waitMs = 60_000 } = {},
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    const chunks: Buffer[] = []
    const finish = () => {
      socket.destroy()
      const text = Buffer.concat(chunks).toString()
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text })
    }
    socket.setTimeout(waitMs, finish)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      // Enough for whoever waits for one answer on a connection that stays open.
      if (/\r\n\r\n[\s\S]*\}$/.test(Buffer.concat(chunks).toString())) setTimeout(finish, 50)
    })
    socket.on('close', finish)
    socket.on('error', (error) => (chunks.length > 0 ? finish() : reject(error)))
  })
}
