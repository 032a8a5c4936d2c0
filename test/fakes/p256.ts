// ECDSA over P-256 on a bare digest, which node:crypto can't do: for playing a token or a remote service in tests. Slow,
// and in no way guarded against whoever measures it.
import { randomBytes, type KeyObject } from 'node:crypto'

const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const A = P - 3n
const G: Point = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
}

type Point = { x: bigint; y: bigint }

export function signP256Digest(key: KeyObject, digest: Buffer, form: 'der' | 'bare'): Buffer {
  const d = toNumber(Buffer.from(key.export({ format: 'jwk' }).d!, 'base64url'))
  const k = (toNumber(randomBytes(48)) % (N - 1n)) + 1n
  const r = modulo(multiply(G, k).x, N)
  const s = modulo(invert(k, N) * (toNumber(digest) + r * d), N)
  return form === 'bare' ? Buffer.concat([toBytes(r), toBytes(s)]) : sequence(integer(r), integer(s))
}

function multiply(point: Point, by: bigint): Point {
  let result: Point | undefined
  let power = point
  for (let left = by; left > 0n; left >>= 1n) {
    if (left & 1n) result = result ? add(result, power) : power
    power = add(power, power)
  }
  return result!
}

function add(a: Point, b: Point): Point {
  const slope =
    a.x === b.x && a.y === b.y ? (3n * a.x * a.x + A) * invert(2n * a.y, P) : (b.y - a.y) * invert(b.x - a.x, P)
  const x = modulo(slope * slope - a.x - b.x, P)
  return { x, y: modulo(slope * (a.x - x) - a.y, P) }
}

function invert(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [modulo(value, modulus), modulus, 1n, 0n]
  while (a > 1n) {
    const quotient = a / b
    ;[a, b] = [b, a % b]
    ;[x, y] = [y, x - quotient * y]
  }
  return modulo(x, modulus)
}

const modulo = (value: bigint, modulus: bigint) => ((value % modulus) + modulus) % modulus
const toNumber = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`)
const toBytes = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')

function integer(value: bigint): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  const content = bytes[0]! & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes
  return Buffer.concat([Buffer.of(0x02, content.length), content])
}

function sequence(...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(0x30, content.length), content])
}
