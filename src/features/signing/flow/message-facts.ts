// What messages to signatories say, asked for when one is sent or viewed: by then it may have become pointless.
import type { FactsProvider, MessageFacts } from '#features/messages/index.ts'
import { linkToken } from '../links.ts'
import { copyToken } from './copy-links.ts'
import type { Platform } from '#platform/platform.ts'
import { isRunning } from './flow.ts'
import { isAsked, isLeftAlone, nameOf } from './people.ts'
import { findPlaceOf, type Place } from './read-place.ts'

type Message = Parameters<FactsProvider>[1]

async function findPlace({ db }: Platform, { tenantId, signatoryId }: Message): Promise<Place | undefined> {
  if (signatoryId === null) return undefined
  const place = await db.transaction(tenantId, (tx) => findPlaceOf(tx, { tenantId, signatoryId }))
  return place === undefined || isLeftAlone(place.person) ? undefined : place
}

/** Who is addressed, by whom and about what; undefined where there is no address for the channel any more. */
export function commonFacts({ flow, person, sender }: Place, { channel }: Message): MessageFacts | undefined {
  const address = channel === 'email' ? person.email : person.mobilePhone
  if (address === null || sender === undefined) return undefined
  const hasName = person.firstName !== null || person.lastName !== null
  return {
    address,
    name: hasName ? nameOf(person) : null,
    sender,
    subject: flow.subject,
    expirationAt: flow.expirationAt,
  }
}

/** Invitations and reminders: the personal link, as long as it leads to something that the person can do. */
export const askingFacts: FactsProvider = async (platform, message) => {
  const place = await findPlace(platform, message)
  if (place === undefined || !isAsked(place.person) || place.person.hasConfirmed) return undefined
  if (!isRunning(place.flow, platform.clock.now())) return undefined
  const common = commonFacts(place, message)
  const owner = { tenantId: message.tenantId, signatoryId: place.person.id, generation: place.person.linkGeneration }
  return common && { ...common, path: `/sign/${linkToken(platform.keyring, owner)}` }
}

/** That it is over, and why. */
export const endingFacts: FactsProvider = async (platform, message) => {
  const place = await findPlace(platform, message)
  if (place === undefined || place.flow.status !== 'Canceled') return undefined
  const common = commonFacts(place, message)
  return common && { ...common, ending: endingOf(place) }
}

function endingOf({ flow: { statusReason }, people }: Place): NonNullable<MessageFacts['ending']> {
  if (statusReason === 'Expired') return { how: 'expired', reason: null }
  const declined = people.find(({ state, isMandatory }) => state === 'Declined' && isMandatory)
  if (declined && statusReason === 'Declined') return { how: 'declined', reason: declined.declineReason }
  return { how: 'canceled', reason: statusReason }
}

/** That everybody has signed and the documents are sealed, with the way to one's copy. */
export const completedFacts: FactsProvider = async (platform, message) => {
  const place = await findPlace(platform, message)
  const common = place && commonFacts(place, message)
  if (common === undefined) return undefined
  const owner = { tenantId: message.tenantId, signatoryId: place!.person.id }
  return { ...common, path: `/sign/${copyToken(platform.keyring, owner)}` }
}
