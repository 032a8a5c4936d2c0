import type { Answer } from '../service.ts'

/** A subscription key as the list shows it. */
export type ShownKey = Answer<'listSubscriptionKeys'>['items'][number]
