// What a message will say is asked for when it is sent or viewed, from the feature that knows it. So neither links nor
// codes lie in the database, and a message that has become pointless is noticed in time.
import type { Platform } from '#platform/platform.ts'
import type { Message, MessageKind } from './message.ts'

export type MessageFacts = {
  /** Where it goes on the message's channel: an e-mail address or a number in E.164. */
  address: string
  /** How the recipient is greeted; null where no name is known. */
  name: string | null
  sender: { organisation: string; department: string; person: string | null }
  /** The subject of the signature request. */
  subject?: string
  expirationAt?: Date | null
  /** Path of the page behind the button, from / on. The origin is always the configured one. */
  path?: string
  /** For kind code: the digits, and until when they count. */
  code?: { digits: string; expiresAt: Date }
  /** For kind canceled: how it ended, and the words of whoever ended it. */
  ending?: { how: 'canceled' | 'declined' | 'expired'; reason: string | null }
  /** For kind webhookdisabled: which subscription, and why. */
  webhook?: { id: string; eventType: string; host: string; cause: 'gone' | 'failing' }
}

/** Answers with what the message is to say; undefined where there is nothing left to say, and then nothing is sent. */
export type FactsProvider = (platform: Platform, message: Message) => Promise<MessageFacts | undefined>

/** Who knows what messages of each kind say. Put together in main. */
export type MessageRegistry = Readonly<Record<MessageKind, FactsProvider>>
