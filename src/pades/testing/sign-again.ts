// Signs with what it is given and nothing else: key, time, and what authorities answered. As a program it reads that from
// its input and writes the revisions to its output, so that another process can do the same once more.
import { createPrivateKey } from 'node:crypto'
import { json } from 'node:stream/consumers'
import { memorySigner } from '#pki/raw-signer.ts'
import { prepareSignature } from '../prepare-signature.ts'
import { signPdf, type Timestamper } from '../sign.ts'
import { bufferSource } from '../source.ts'

/** Everything that a signature is made of. Bytes are in base64. */
export type Given = {
  pdf: string
  /** PKCS #8; RSA with PKCS #1 padding, the signature that has no chance in it. */
  key: string
  certificate: string
  chain: string[]
  time: string
  /** The token over each digest that was stamped before. */
  tokens: Record<string, string>
}

export type Made = { prepared: string; revisions: string[] }

const bytesOf = (text: string) => Buffer.from(text, 'base64')

/** Prepares a visible signature, and makes one that lasts. `ask` stamps what no token is given for. */
export async function signAgain(given: Given, ask?: Timestamper): Promise<Made> {
  const certificate = bytesOf(given.certificate)
  const chain = given.chain.map(bytesOf)
  const privateKey = createPrivateKey({ key: bytesOf(given.key), format: 'der', type: 'pkcs8' })
  const signer = memorySigner({ certificate, chain, algorithm: 'RS256', privateKey })
  const tsa: Timestamper = async (imprint) => {
    const digest = imprint.digest.toString('hex')
    const token = given.tokens[digest] ?? (await ask?.(imprint))?.toString('base64')
    if (token === undefined) throw new Error(`nobody has stamped ${digest}: these are other bytes`)
    given.tokens[digest] = token
    return bytesOf(token)
  }
  const time = new Date(given.time)
  const options = {
    time,
    field: { name: 'Signature', placement: { x: 50, y: 50, width: 200, height: 70 } },
    appearance: { lines: ['Anna Müller', 'I agree'] },
    name: 'Anna Müller',
    reason: 'I agree',
  }
  const source = () => bufferSource(bytesOf(given.pdf))
  const prepared = await prepareSignature(source(), signer, options)
  const validationData = async () => ({ certificates: [certificate, ...chain], ocsps: [], crls: [] })
  const revisions = await signPdf(source(), { ...options, signer, level: 'B-LTA', tsa, validationData })
  return {
    prepared: prepared.appended.toString('base64'),
    revisions: revisions.map((revision) => revision.toString('base64')),
  }
}

if (process.argv[1] === import.meta.filename) {
  process.stdout.write(JSON.stringify(await signAgain((await json(process.stdin)) as Given)))
}
