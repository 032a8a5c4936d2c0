// What the pages about one request show.
import type { Answer } from '../service.ts'

export type ShownRequest = Answer<'readSignatureRequest'>
export type HistoryEvent = Answer<'readSignatureRequestHistory'>['items'][number]
