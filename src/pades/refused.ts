// Every "no" of the engine about a document. The message is shown to people, so it says in plain words what is wrong.

export type RefusalReason =
  | 'not-a-pdf'
  | 'truncated'
  | 'damaged'
  | 'hybrid'
  | 'encrypted'
  | 'password'
  | 'too-large'
  | 'too-complex'
  | 'active-content'
  | 'certified'
  | 'usage-rights'
  | 'signed-and-damaged'
  | 'field'
  | 'page'
  | 'unsupported'
  | 'not-repairable'
  | 'busy'

/** A document, or a wish about a document, that the engine turns down on purpose. */
export class PdfRefused extends Error {
  readonly reason: RefusalReason
  /** For the log: what was met where. Never needed to understand the message. */
  readonly detail: string

  constructor(reason: RefusalReason, message: string, detail = '') {
    super(message)
    this.name = 'PdfRefused'
    this.reason = reason
    this.detail = detail
  }
}

/** The file breaks the rules of PDF at a place that must be understood exactly. */
export const damaged = (detail: string) => new PdfRefused('damaged', `This PDF is damaged: ${detail}.`, detail)

/** The file asks for more work than any honest document needs. */
export const tooComplex = (detail: string) =>
  new PdfRefused('too-complex', `This PDF is built in a way that takes too much work to read: ${detail}.`, detail)
