import { nameOf } from '#features/signing/index.ts'
import { pageState, progressOf } from './page-state.ts'
import type { Sitting } from './sitting.ts'

const READABLE = new Set(['ready', 'signing', 'signed'])
const FAMILIAR = new Set(['ready', 'signing', 'signed', 'notyourturn', 'declined'])

/** What the page may show. Before the reading strength is met, and after an end, nothing of the request. */
export function showRequest(sitting: Sitting, now: Date) {
  const { flow, person, isMet } = sitting
  const state = pageState({ flow, person, isReadingMet: isMet.reading, now })
  const isFamiliar = isMet.reading && FAMILIAR.has(state)
  const isReadable = isMet.reading && READABLE.has(state) && flow.preparedAt !== null
  return {
    state,
    reading: { strength: flow.readingStrength, isMet: isMet.reading },
    signing: { strength: flow.signingStrength, isMet: isMet.signing },
    language: person.languageCode ?? flow.languageCode ?? 'en',
    returnUrl: sitting.returnUrl,
    signatoryId: person.id,
    signedAt: person.signedAt,
    declineReason: isMet.reading ? person.declineReason : null,
    canDownload: isReadable,
    ...(isFamiliar ? describe(sitting) : HIDDEN),
    documents: isReadable ? listDocuments(sitting) : null,
  }
}

const HIDDEN = { sender: null, subject: null, expirationDate: null, signatory: null, others: null, progress: null }

function describe({ flow, person, people, sender }: Sitting) {
  return {
    sender: sender ?? null,
    subject: flow.subject,
    expirationDate: flow.expirationAt,
    signatory: { firstName: person.firstName, lastName: person.lastName },
    others: people
      .filter(({ id }) => id !== person.id)
      .map((other) => ({ name: nameOf({ ...other, email: null }), state: other.state })),
    progress: progressOf(flow),
  }
}

/** The address names the revision, so that a signature made meanwhile does not change what is being read. */
function listDocuments({ documents }: Sitting) {
  return documents.map(({ id, title, fileName, sizeBytes, sha256 }) => {
    const hash = sha256.toString('hex')
    return { id, title, fileName, sizeBytes, sha256: hash, url: `/sign/api/document/${id}?sha256=${hash}` }
  })
}
