// Everything that an outsider needs to verify a request without asking us.
import { zipFiles, type ZipFile } from './zip.ts'

export type EvidenceZip = {
  /** Fetched when their turn has come. */
  documents: readonly { fileName: string; read: () => Promise<Buffer> }[]
  evidencePdf: Buffer
  evidenceJson: Buffer
  /** The whole history with its proofs, as GET /event/signaturerequest/{id}/proof answers with it. */
  history: { log: { checkpoint: string; timestamp: string | null } | null }
  /** DER, by the name of the file. */
  certificates: readonly { name: string; der: Buffer }[]
  at: Date
}

/** The archive that GET …/evidence answers with. */
export function zipEvidence(zip: EvidenceZip): AsyncGenerator<Buffer> {
  return zipFiles(listFiles(zip), zip.at)
}

async function* listFiles(zip: EvidenceZip): AsyncGenerator<ZipFile> {
  const names = new Set<string>()
  yield { name: 'README.txt', bytes: Buffer.from(README) }
  for (const { fileName, read } of zip.documents) {
    yield { name: freeName(names, `documents/${fileName}`), bytes: await read() }
  }
  yield { name: 'evidence.pdf', bytes: zip.evidencePdf }
  yield { name: 'evidence.json', bytes: zip.evidenceJson }
  yield { name: 'history.json', bytes: Buffer.from(`${JSON.stringify(zip.history, null, 2)}\n`) }
  const { log } = zip.history
  if (log !== null) yield { name: 'log/checkpoint.txt', bytes: Buffer.from(log.checkpoint) }
  if (log?.timestamp) yield { name: 'log/checkpoint.tst', bytes: Buffer.from(log.timestamp, 'base64') }
  for (const { name, der } of zip.certificates) {
    yield { name: freeName(names, `certificates/${name}.pem`), bytes: Buffer.from(pem(der)) }
  }
}

/** Most file systems take 255 bytes; a number may be added. */
const LONGEST_NAME_BYTES = 200
const LONGEST_ENDING_BYTES = 20

/** Two documents may have the same name, and a name more bytes than can be unpacked. */
function freeName(taken: Set<string>, wanted: string): string {
  const dot = wanted.lastIndexOf('.')
  const hasEnding = dot > 0 && Buffer.byteLength(wanted.slice(dot)) <= LONGEST_ENDING_BYTES
  const ending = hasEnding ? wanted.slice(dot) : ''
  const stem = beginningOf(hasEnding ? wanted.slice(0, dot) : wanted, LONGEST_NAME_BYTES - Buffer.byteLength(ending))
  let name = `${stem}${ending}`
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${stem} (${number})${ending}`
  taken.add(name.toLowerCase())
  return name
}

function beginningOf(text: string, mostBytes: number): string {
  let [beginning, sizeBytes] = ['', 0]
  for (const character of text) {
    sizeBytes += Buffer.byteLength(character)
    if (sizeBytes > mostBytes) break
    beginning += character
  }
  return beginning
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const README = `Evidence of a signature request
===============================

documents/      The signed and sealed documents (PAdES, level B-LTA).
evidence.pdf    Who took part, how each was authenticated, what happened when. Sealed like the documents.
evidence.json   The same facts for programs; also attached to evidence.pdf.
history.json    Every event, each with the hash of the one before, the signed head of the chain, and for each event the
                proof of its place in the log.
log/            The log's checkpoint that covers these events, and its timestamp (RFC 3161). The timestamp comes some
                moments after the documents are sealed and everybody has been told, and within an hour after whatever
                happens later; where it is missing, fetch this archive again.
certificates/   The certificates of the signatures, the seal and the authorities above them.

To verify without asking anybody
--------------------------------

1. Documents and evidence.pdf: open them in a reader that checks signatures, or validate them with a validator for
   PAdES (for example the DSS demonstration of the European Commission, or pyHanko), trusting the root certificate in
   certificates/. All that is needed besides is inside the files: certificates, revocation data and timestamps.
2. The SHA-256 of each document must equal the one in evidence.json:
   sha256sum documents/*
3. The history: countersign history verify history.json
   By hand: hash = SHA-256(0x01, previous hash (32 zero bytes first), sequence as 4 bytes, tenant and request as 16
   bytes each, length of the event type as 2 bytes and the type, milliseconds since 1970 as 8 bytes, SHA-256(salt,
   body)). Numbers are big endian. The head is signed with Ed25519; its public keys stand in the file.
   The log is a Merkle tree as in RFC 6962. The leaf of an event is SHA-256(0x00, hash); its inclusion proof leads to
   the root in log/checkpoint.txt, a signed note of the same keys.
4. The timestamp of the checkpoint:
   openssl ts -verify -data log/checkpoint.txt -in log/checkpoint.tst -token_in -CAfile ROOT.pem
   with the root certificate of the timestamp authority from certificates/.
   Make sure from another source, for example the sender, that the key is theirs.
`
