// The network between a process of ours and PostgreSQL, on its bad days: slow, silent, cut, or losing the one answer that
// matters. What it is silent about arrives late, as TCP would have it: also what its sender has long given up.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

export type DatabaseProxy = {
  /** Leads to the same database, through here. */
  connection: pg.ClientConfig
  /** How long everything takes, each way. */
  latencyMs: number
  /** Takes what comes, new connections as well, and passes nothing on until `heal`. */
  fallSilent(): void
  heal(): void
  /** The connections of this moment keep silent for good, as at a firewall that has forgotten them; new ones work. */
  forget(): void
  /** Ends every connection at once. */
  cut(): void
  /** A transaction that is about these words commits, and the answer gets lost together with the connection. */
  loseCommit(about: string): void
  lostCommits: number
  stop(): Promise<void>
}

type Line = { client: Socket; server: Socket; isAboutToBeLost: boolean }
type Side = 'client' | 'server'

const COMMITTED = Buffer.from('COMMIT\0')

/** Starts a proxy on loopback in front of a PostgreSQL that listens on a port or on a socket. */
export async function startDatabaseProxy(connection: pg.ClientConfig): Promise<DatabaseProxy> {
  const lines = new Set<Line>()
  const forgotten = new Set<Line>()
  let isSilent = false
  let toBeLost: string | undefined

  function open(client: Socket): void {
    const line = { client, server: connectTo(connection), isAboutToBeLost: false }
    lines.add(line)
    if (isSilent) hold(line)
    pass(line, 'client', (bytes) => {
      if (toBeLost !== undefined && bytes.includes(toBeLost)) line.isAboutToBeLost = true
      line.server.write(bytes)
    })
    pass(line, 'server', (bytes) => {
      if (line.isAboutToBeLost && bytes.includes(COMMITTED)) lose(line)
      else client.write(bytes)
    })
  }

  function lose(line: Line): void {
    toBeLost = undefined
    proxy.lostCommits++
    drop(line)
  }

  function pass(line: Line, from: Side, onward: (bytes: Buffer) => void): void {
    const to = from === 'client' ? line.server : line.client
    // In the order in which it came, also where everything is quicker by then.
    let before = Promise.resolve()
    const inTurn = (action: () => void) => {
      const dueAt = performance.now() + proxy.latencyMs
      before = before.then(() => wait(Math.max(0, dueAt - performance.now()))).then(action)
    }
    line[from].on('data', (bytes) => inTurn(() => onward(bytes)))
    line[from].on('error', () => {})
    line[from].on('close', () => {
      lines.delete(line)
      inTurn(() => to.end())
    })
  }

  function drop(line: Line): void {
    line.client.destroy()
    line.server.destroy()
  }

  const listener = createServer(open)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const proxy: DatabaseProxy = {
    connection: { ...connection, host: '127.0.0.1', port },
    latencyMs: 0,
    fallSilent() {
      isSilent = true
      lines.forEach(hold)
    },
    heal() {
      isSilent = false
      for (const { client, server } of lines) {
        client.resume()
        server.resume()
      }
    },
    forget() {
      for (const line of lines) {
        hold(line)
        forgotten.add(line)
      }
      lines.clear()
    },
    cut: () => lines.forEach(drop),
    loseCommit(about) {
      toBeLost = about
    },
    lostCommits: 0,
    async stop() {
      for (const line of [...lines, ...forgotten]) drop(line)
      await new Promise((resolve) => listener.close(resolve))
    },
  }
  return proxy
}

function connectTo({ host = '', port }: pg.ClientConfig): Socket {
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(Number(port), host)
}

function hold({ client, server }: Line): void {
  client.pause()
  server.pause()
}
