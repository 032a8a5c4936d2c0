// A key in a hardware token or another PKCS#11 module. The module is native code of somebody else: it is loaded in a
// process of its own, which alone holds the PIN, and which is started again where it has died.
import { fork, type ChildProcess } from 'node:child_process'
import type { SignatureAlgorithm } from './algorithms.ts'
import { ecdsaToDer } from './ecdsa-signature.ts'
import { PkiError } from './errors.ts'
import type { RawSigner, SignerIdentity } from './raw-signer.ts'
import type { TokenAnswer, TokenLocation, TokenRequest } from './pkcs11-process.ts'

export type { TokenLocation } from './pkcs11-process.ts'

export type Pkcs11Signer = RawSigner & {
  /** Ends the process that holds the module. */
  close(): void
}

const ANSWER_WITHIN_MS = 15_000
/** RFC 8017 9.2, note 1: what stands before a digest in a PKCS#1 v1.5 signature. */
const SHA256_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex')

/** A signer whose key never leaves the token. The certificate is not read from there: many tokens hold none. */
export function pkcs11Signer({ location, ...identity }: SignerIdentity & { location: TokenLocation }): Pkcs11Signer {
  const token = new TokenProcess(location)
  const { algorithm } = identity
  return {
    ...identity,
    async signDigest(digest) {
      const data = algorithm === 'RS256' ? Buffer.concat([SHA256_INFO, digest]) : digest
      const signature = await token.sign(algorithm, data)
      return algorithm.startsWith('ES') ? ecdsaToDer(signature) : signature
    },
    close: () => token.close(),
  }
}

class TokenProcess {
  readonly #location: TokenLocation
  readonly #waiting = new Map<
    number,
    { resolve: (value: Buffer) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }
  >()
  #child: ChildProcess | undefined
  #nextId = 1

  constructor(location: TokenLocation) {
    this.#location = location
  }

  sign(algorithm: SignatureAlgorithm, data: Buffer): Promise<Buffer> {
    const id = this.#nextId++
    const child = (this.#child ??= this.#start())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#settle(id)?.reject(unavailable('it did not answer in time'))
        child.kill('SIGKILL') // Whatever hangs in native code hangs for good.
      }, ANSWER_WITHIN_MS)
      this.#waiting.set(id, { resolve, reject, timer })
      const request: TokenRequest = { id, location: this.#location, algorithm, data: data.toString('base64') }
      child.send(request, (error) => {
        if (error) this.#settle(id)?.reject(unavailable(error.message))
      })
    })
  }

  close(): void {
    this.#child?.kill()
  }

  #start(): ChildProcess {
    const child = fork(new URL('./pkcs11-process.ts', import.meta.url), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.on('message', ({ id, signature, error }: TokenAnswer) => {
      const asked = this.#settle(id)
      if (signature === undefined) asked?.reject(unavailable(error ?? 'it gave no reason'))
      else asked?.resolve(Buffer.from(signature, 'base64'))
    })
    // Whoever was started has an exit too. Whoever was not, for want of memory or processes, has nothing but this.
    child.on('error', (error) => {
      if (child.pid === undefined) this.#end(error.message)
    })
    child.on('exit', () => this.#end('its process ended'))
    child.unref()
    child.channel?.unref()
    return child
  }

  #end(why: string): void {
    this.#child = undefined
    for (const id of this.#waiting.keys()) this.#settle(id)?.reject(unavailable(why))
  }

  #settle(id: number) {
    const asked = this.#waiting.get(id)
    this.#waiting.delete(id)
    clearTimeout(asked?.timer)
    return asked
  }
}

function unavailable(why: string): PkiError {
  return new PkiError('token-unavailable', `The PKCS#11 token can't sign: ${why}.`)
}
