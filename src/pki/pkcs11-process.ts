// The process that loads a PKCS#11 module (see pkcs11-signer.ts). It needs the package `pkcs11js`, which is built from
// source and therefore installed only where it is wanted: npm install --no-save pkcs11js.
import { createRequire } from 'node:module'
import type { SignatureAlgorithm } from './algorithms.ts'

export type TokenLocation = {
  /** Path of the module, such as /usr/lib/softhsm/libsofthsm2.so. */
  library: string
  tokenLabel: string
  pin: string
  keyLabel: string
}

export type TokenRequest = { id: number; location: TokenLocation; algorithm: SignatureAlgorithm; data: string }
export type TokenAnswer = { id: number; signature?: string; error?: string }

type Handle = Buffer
type Mechanism = { mechanism: number; parameter?: unknown }

/** The part of pkcs11js that is used here. */
type Module = {
  load(path: string): void
  C_Initialize(): void
  C_GetSlotList(isPresent: boolean): Handle[]
  C_GetTokenInfo(slot: Handle): { label: string }
  C_OpenSession(slot: Handle, flags: number): Handle
  C_Login(session: Handle, user: number, pin: string): void
  C_FindObjectsInit(session: Handle, template: { type: number; value: unknown }[]): void
  C_FindObjects(session: Handle): Handle | null
  C_FindObjectsFinal(session: Handle): void
  C_SignInit(session: Handle, mechanism: Mechanism, key: Handle): void
  C_Sign(session: Handle, data: Buffer, signature: Buffer): Buffer
}
type Library = { PKCS11: new () => Module } & Record<string, number>

const LONGEST_SIGNATURE = 1024
const SESSION_IS_GONE =
  /CKR_(SESSION_HANDLE_INVALID|SESSION_CLOSED|DEVICE_REMOVED|DEVICE_ERROR|TOKEN_NOT_PRESENT|USER_NOT_LOGGED_IN|KEY_HANDLE_INVALID)/

type Open = { session: Handle; key: Handle }

let library: Library | undefined
let module: Module | undefined
let open: Open | undefined

process.on('message', (request: TokenRequest) => {
  let answer: TokenAnswer
  try {
    answer = { id: request.id, signature: sign(request).toString('base64') }
  } catch (error) {
    answer = { id: request.id, error: error instanceof Error ? error.message : String(error) }
  }
  process.send!(answer)
})
process.on('disconnect', () => process.exit(0))

function sign({ location, algorithm, data }: TokenRequest): Buffer {
  const bytes = Buffer.from(data, 'base64')
  open ??= openKey(location)
  try {
    return signWith(open, algorithm, bytes)
  } catch (error) {
    open = undefined
    if (!SESSION_IS_GONE.test(String(error))) throw error
    // A token that was pulled out and put back has forgotten us: once more, from the start.
    open = openKey(location)
    return signWith(open, algorithm, bytes)
  }
}

function signWith({ session, key }: Open, algorithm: SignatureAlgorithm, data: Buffer): Buffer {
  module!.C_SignInit(session, mechanismOf(algorithm), key)
  return module!.C_Sign(session, data, Buffer.alloc(LONGEST_SIGNATURE))
}

function mechanismOf(algorithm: SignatureAlgorithm): Mechanism {
  const names = library!
  if (algorithm === 'RS256') return { mechanism: names.CKM_RSA_PKCS! }
  if (algorithm !== 'PS256') return { mechanism: names.CKM_ECDSA! }
  const parameter = {
    type: names.CK_PARAMS_RSA_PSS,
    hashAlg: names.CKM_SHA256,
    mgf: names.CKG_MGF1_SHA256,
    saltLen: 32,
  }
  return { mechanism: names.CKM_RSA_PKCS_PSS!, parameter }
}

function openKey({ library: path, tokenLabel, pin, keyLabel }: TokenLocation): Open {
  library ??= loadPackage()
  module ??= loadModule(path)
  const slot = module
    .C_GetSlotList(true)
    .find((candidate) => module!.C_GetTokenInfo(candidate).label.trim() === tokenLabel)
  if (!slot) throw new Error(`there is no token called ${tokenLabel}`)
  const session = module.C_OpenSession(slot, library.CKF_SERIAL_SESSION!)
  logIn(session, pin)
  module.C_FindObjectsInit(session, [
    { type: library.CKA_CLASS!, value: library.CKO_PRIVATE_KEY! },
    { type: library.CKA_LABEL!, value: keyLabel },
  ])
  const key = module.C_FindObjects(session)
  module.C_FindObjectsFinal(session)
  if (!key) throw new Error(`the token holds no private key called ${keyLabel}`)
  return { session, key }
}

function logIn(session: Handle, pin: string): void {
  try {
    module!.C_Login(session, library!.CKU_USER!, pin)
  } catch (error) {
    if (!String(error).includes('CKR_USER_ALREADY_LOGGED_IN')) throw error
  }
}

function loadPackage(): Library {
  try {
    return createRequire(import.meta.url)('pkcs11js') as Library
  } catch {
    throw new Error('the package pkcs11js is not installed: npm install --no-save pkcs11js')
  }
}

function loadModule(path: string): Module {
  const loaded = new library!.PKCS11()
  loaded.load(path)
  loaded.C_Initialize()
  return loaded
}
