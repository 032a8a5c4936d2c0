import type { StagedBlob } from '#platform/blobs/blob-store.ts'

/** A document that arrived with a call: its bytes are staged, and become durable when the call commits them. */
export class DocumentContent {
  readonly staged: StagedBlob

  constructor(staged: StagedBlob) {
    this.staged = staged
  }
}
