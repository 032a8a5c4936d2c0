// The sentences of the evidence, in the language of the request and with the zone in every time.
import { formatSecond } from '#i18n/dates.ts'
import { nameEvent } from '#i18n/events/index.ts'
import { EVIDENCE } from '#i18n/evidence/index.ts'
import type { EvidenceTexts } from '#i18n/evidence/en.ts'
import { nearestLanguage } from '#i18n/languages.ts'
import { makeSpeaker, type Values } from '#i18n/translate.ts'
import type { EvidenceFacts, EvidenceParticipant, EvidenceProof } from './facts.ts'

export type Words = {
  say: (key: keyof EvidenceTexts, values?: Values) => string
  when: (at: Date) => string
  /** What an event is called by people. */
  event: (type: string) => string
}

/** Speaks as the request does. */
export function wordsFor({ language: tag, timeZone: timezone }: EvidenceFacts): Words {
  return {
    say: makeSpeaker(EVIDENCE, nearestLanguage(tag)),
    when: (at) => formatSecond({ tag, at, timezone }),
    event: (type) => nameEvent(nearestLanguage(tag), type),
  }
}

const HOW = {
  None: 'authenticationNone',
  Email: 'authenticationEmail',
  Sms: 'authenticationSms',
  Strong: 'authenticationStrong',
} as const

/** What is said about one person, line by line. */
export function describeParticipant({ say, when }: Words, person: EvidenceParticipant): string[] {
  const { authentication, confirmedAt, signedAt, state, email, mark } = person
  const lines = [stateLine({ say, when }, state, signedAt)]
  if (email !== null) lines.push(`${say('email')}: ${email}`)
  if (confirmedAt !== null) lines.push(say('confirmed', { time: when(confirmedAt) }))
  if (authentication !== null) {
    const { reading, signing } = authentication
    lines.push(
      say('forReading', { how: describeProof(say, reading) }),
      say('forSigning', { how: describeProof(say, signing) }),
    )
    if (person.wasCodeShown) lines.push(say('codeShownToAdministrator'))
    // Codes by e-mail and bare links say little about the person; the record never makes more of them.
    const isSimple = signing.strength === 'None' || signing.strength === 'Email'
    lines.push(say(isSimple ? 'simpleSignature' : 'electronicSignature'))
  }
  if (mark?.kind === 'typed') lines.push(say('typedMark', { text: mark.text }))
  if (mark?.kind === 'drawn') lines.push(say('drawnMark'))
  return lines
}

function describeProof(say: Words['say'], { strength, identity }: EvidenceProof): string {
  const how = say(HOW[strength])
  return identity === undefined ? how : `${how} (${new URL(identity.issuer).host}, ${identity.acr})`
}

function stateLine(
  { say, when }: Pick<Words, 'say' | 'when'>,
  state: EvidenceParticipant['state'],
  signedAt: Date | null,
): string {
  if (state === 'Signed' && signedAt !== null) return say('stateSigned', { time: when(signedAt) })
  return say(state === 'Declined' ? 'stateDeclined' : 'stateSkipped')
}
