// What evidence consists of. The PDF shows it to people, and carries it as JSON for programs.

export type EvidenceStrength = 'None' | 'Email' | 'Sms' | 'Strong'

export type EvidenceProof = {
  strength: EvidenceStrength
  at: string | null
  /** Of an identity provider: which, and how surely it knew the person. */
  identity?: { issuer: string; acr: string; subject: string; isIdentifierCompared: boolean }
}

export type EvidenceParticipant = {
  id: string
  name: string
  email: string | null
  state: 'Signed' | 'Declined' | 'Skipped'
  isMandatory: boolean
  signedAt: Date | null
  confirmedAt: Date | null
  /** What was really done, for reading and for signing, and when. */
  authentication: {
    reading: EvidenceProof
    signing: EvidenceProof
  } | null
  /** The same in the words of the certificate. */
  policy: string | null
  /** An administrator looked at a code of this person in the outbox: then it was shown, not sent. */
  wasCodeShown: boolean
  mark: { kind: 'typed'; text: string } | { kind: 'drawn'; strokes: number[][] } | null
}

export type EvidenceDocument = {
  id: string
  title: string | null
  fileName: string
  sha256: string
  sizeBytes: number
  levelAsked: string
  levelReached: string
}

export type EvidenceEvent = {
  sequenceNumber: number
  eventType: string
  timestamp: Date
  signatoryId: string | null
  hash: string
}

export type EvidenceFacts = {
  tenantId: string
  requestId: string
  subject: string
  /** A BCP 47 tag. */
  language: string
  timeZone: string
  sender: { organisation: string; department: string; person: string | null }
  openedAt: Date | null
  completedAt: Date
  /** The name in the certificate of the seal. */
  sealedBy: string
  /** Who stamped the documents; both where the operator chose another authority between two signatures. */
  timestampAuthority: 'own' | 'outside' | 'both'
  verifyUrl: string
  participants: EvidenceParticipant[]
  documents: EvidenceDocument[]
  events: EvidenceEvent[]
}
