// Blobs in an S3 bucket, under the same keys as in a folder. Bytes wait in a local file until commit() uploads them.
//
// Nothing is taken on trust: an upload carries its SHA-256, in the signature and as the object's checksum, so the server
// refuses bytes that changed on the way; a download is hashed here. The client's own retries are off, because it can't
// repeat a streamed body; ours start the stream again, and resume a download where it broke off.
import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { follow } from '#platform/tracing/follow.ts'
import { blobKey, isSha256, tenantPrefix } from './blob-key.ts'
import {
  type BlobStore,
  type BlobWriter,
  type ByteRange,
  type OpenBlob,
  type Removal,
  type StagedBlob,
  type StoredBlob,
  type WholeRead,
  STREAM_CHUNK_BYTES,
} from './blob-store.ts'
import { blobMissing } from './errors.ts'
import { realFileSystem } from './file-system.ts'
import {
  asS3Error,
  DEFAULT_RETRY,
  httpStatus,
  isTransient,
  type RetryOptions,
  waitBefore,
  withRetries,
} from './s3-retry.ts'
import { asStagedFile, stageBytes, Staging } from './staging.ts'
import { drain, exactly, isWhole, resolveRange, toStream, verified } from './verified-read.ts'
import type { WrittenBlob } from './written-apart.ts'

export type S3Options = {
  bucket: string
  /** Another server than Amazon's; it is then spoken to in path style. */
  endpoint: string | undefined
  region: string | undefined
  scratchFolder: string
  /** Without them: environment, shared files, container or instance role, as in every S3 tool. */
  credentials?: { accessKeyId: string; secretAccessKey: string }
  retry?: RetryOptions
  timeoutMs?: number
  deleteWithinMs?: number
}

const CONNECT_TIMEOUT_MS = 3_000
const REQUEST_TIMEOUT_MS = 30_000
/** Twice this is less than the half minute after which the database ends a transaction that says nothing, and its locks. */
const DELETE_WITHIN_MS = 10_000
const PROBE_KEY = 'writable'

const ignore = (): void => {}
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore }

/** Younger objects need no refreshing: no collector looks at them yet. */
const FRESH_MS = 60 * 60 * 1000

/** Opens the store in a bucket, which must exist. */
export async function openS3Blobs(options: S3Options): Promise<BlobStore> {
  const staging = new Staging(realFileSystem, options.scratchFolder)
  await staging.prepare()
  const { bucket, retry = DEFAULT_RETRY, deleteWithinMs = DELETE_WITHIN_MS } = options
  return new S3Blobs(makeClient(options), { bucket, staging, retry, deleteWithinMs })
}

function makeClient({ endpoint, region, credentials, timeoutMs = REQUEST_TIMEOUT_MS }: S3Options): S3Client {
  const client = new S3Client({
    maxAttempts: 1,
    logger: SILENT, // it warns on the console, beside our log, of each error that we handle
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      throwOnRequestTimeout: true,
    },
    // Our own hash is the check, in both directions.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true, region: 'us-east-1' }),
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials }),
  })
  client.middlewareStack.add(
    (next, { commandName = 'S3' }) =>
      (given) => {
        const attributes = { 'rpc.service': 'S3', 'rpc.method': commandName }
        return follow({ kind: 'outgoing', name: commandName, attributes }, () => next(given))
      },
    { step: 'initialize' },
  )
  return client
}

type Parts = { bucket: string; staging: Staging; retry: RetryOptions; deleteWithinMs: number }

class S3Blobs implements BlobStore {
  readonly #client: S3Client
  readonly #bucket: string
  readonly #staging: Staging
  readonly #retry: RetryOptions
  readonly #deleteWithinMs: number

  constructor(client: S3Client, { bucket, staging, retry, deleteWithinMs }: Parts) {
    this.#client = client
    this.#bucket = bucket
    this.#staging = staging
    this.#retry = retry
    this.#deleteWithinMs = deleteWithinMs
  }

  begin(): Promise<BlobWriter> {
    return this.#staging.begin()
  }

  place(): string {
    return this.#staging.place()
  }

  adopt(written: WrittenBlob): StagedBlob {
    return this.#staging.adopt(written)
  }

  async commit(tenantId: string, staged: StagedBlob): Promise<void> {
    const file = asStagedFile(staged)
    try {
      await this.#upload(blobKey(tenantId, file.sha256), file)
    } catch (error) {
      throw asS3Error(error)
    } finally {
      await file.discard()
    }
  }

  async put(tenantId: string, bytes: Uint8Array): Promise<{ sha256: string; sizeBytes: number }> {
    const staged = await stageBytes(await this.begin(), bytes)
    await this.commit(tenantId, staged)
    return { sha256: staged.sha256, sizeBytes: staged.sizeBytes }
  }

  async openRead(tenantId: string, sha256: string, range: ByteRange = {}): Promise<OpenBlob> {
    const key = blobKey(tenantId, sha256)
    const found = await this.stat(tenantId, sha256)
    if (found === undefined) throw blobMissing(key)
    const span = resolveRange(range, found.sizeBytes)
    const stopped = new AbortController()
    const chunks = exactly(this.#download(key, span, stopped.signal), key, span.end - span.start + 1)
    const checked = isWhole(span, found.sizeBytes) ? verified(chunks, { key, sha256 }) : chunks
    return { stream: toStream(checked, async () => stopped.abort()), sizeBytes: found.sizeBytes }
  }

  async read(tenantId: string, sha256: string, { hash }: WholeRead = {}): Promise<Buffer> {
    const { stream } = await this.openRead(tenantId, sha256)
    const chunks: Buffer[] = []
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      hash?.update(chunk)
    }
    return Buffer.concat(chunks)
  }

  async stat(tenantId: string, sha256: string): Promise<StoredBlob | undefined> {
    const head = await this.#head(blobKey(tenantId, sha256)).catch((error: unknown) => Promise.reject(asS3Error(error)))
    return head === undefined ? undefined : { sha256, sizeBytes: head.sizeBytes, modifiedAt: head.modifiedAt }
  }

  async verify(tenantId: string, sha256: string): Promise<void> {
    const { stream } = await this.openRead(tenantId, sha256)
    await drain(stream)
  }

  async remove(tenantId: string, sha256: string, options: Removal = {}): Promise<boolean> {
    const found = await this.stat(tenantId, sha256)
    if (found === undefined) return false
    if (options.onlyIfOlderThan !== undefined && found.modifiedAt >= options.onlyIfOlderThan) return false
    await options.requireLock?.()
    await this.#delete(blobKey(tenantId, sha256))
    return true
  }

  async *list(tenantId: string): AsyncIterable<StoredBlob> {
    let token: string | undefined
    do {
      const page = await this.#listPage(`${tenantPrefix(tenantId)}/`, token)
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
        const sha256 = Key.slice(Key.lastIndexOf('/') + 1)
        if (isSha256(sha256)) yield { sha256, sizeBytes: Size, modifiedAt: LastModified ?? new Date() }
      }
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  async checkWritable(): Promise<void> {
    const command = new PutObjectCommand({ Bucket: this.#bucket, Key: PROBE_KEY, Body: new Uint8Array(0) })
    await this.#answer(() => this.#client.send(command))
  }

  async close(): Promise<void> {
    this.#client.destroy()
  }

  /**
   * An object that is there already counts as this one only if the server has the same checksum for it. One that is
   * older is written again, so that a collector sees it as just used; one that differs is damaged, and is replaced.
   */
  async #upload(key: string, file: StagedBlob): Promise<void> {
    try {
      await withRetries(() => this.#putFile(key, file, { onlyIfAbsent: true }), this.#retry)
    } catch (error) {
      const status = httpStatus(error)
      if (status !== 412 && status !== 501) throw error // 501: a server without conditional writes
      const head = await this.#head(key)
      const isSame = head?.checksum === base64Of(file.sha256) && head.sizeBytes === file.sizeBytes
      if (isSame && Date.now() - head.modifiedAt.getTime() < FRESH_MS) return
      await withRetries(() => this.#putFile(key, file, { onlyIfAbsent: false }), this.#retry)
    }
  }

  async #putFile(key: string, file: StagedBlob, { onlyIfAbsent }: { onlyIfAbsent: boolean }): Promise<void> {
    const { content } = file
    const body =
      'bytes' in content ? content.bytes : createReadStream(content.path, { highWaterMark: STREAM_CHUNK_BYTES })
    // The client listens to a stream only once it sends it. Until then an error that nobody hears would end the process.
    const unreadable = new AbortController()
    if ('destroy' in body) body.on('error', (error) => unreadable.abort(error))
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      Body: body,
      ContentLength: file.sizeBytes,
      ContentType: 'application/octet-stream',
      ChecksumSHA256: base64Of(file.sha256),
      ...(onlyIfAbsent ? { IfNoneMatch: '*' } : {}),
    })
    // Puts the hash that we know into the signature; the client would send a stream unsigned.
    command.middlewareStack.add(
      (next) => (args) => {
        const { headers } = args.request as { headers: Record<string, string> }
        headers['x-amz-content-sha256'] = file.sha256
        return next(args)
      },
      { step: 'build' },
    )
    try {
      const { ChecksumSHA256 } = await this.#client.send(command, { abortSignal: unreadable.signal })
      if (ChecksumSHA256 !== undefined && ChecksumSHA256 !== base64Of(file.sha256)) {
        throw new Error(`the server stored other bytes under ${key}`)
      }
    } catch (error) {
      throw unreadable.signal.aborted ? unreadable.signal.reason : error
    } finally {
      if ('destroy' in body) body.destroy()
    }
  }

  async #head(key: string): Promise<{ sizeBytes: number; modifiedAt: Date; checksum: string | undefined } | undefined> {
    const command = new HeadObjectCommand({ Bucket: this.#bucket, Key: key, ChecksumMode: 'ENABLED' })
    try {
      const head = await withRetries(() => this.#client.send(command), this.#retry)
      const { ContentLength = 0, LastModified = new Date(0), ChecksumSHA256 } = head
      return { sizeBytes: ContentLength, modifiedAt: LastModified, checksum: ChecksumSHA256 }
    } catch (error) {
      if (httpStatus(error) === 404) return undefined
      throw error
    }
  }

  /**
   * Whoever holds a lock does so for a short time only, and bytes that go after it may have been stored again. So all tries
   * end soon; and where one was not answered it is waited for as long again, because it may have arrived all the same.
   */
  async #delete(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: key })
    const abortSignal = AbortSignal.timeout(this.#deleteWithinMs)
    let mayComeLate = false
    const tryOnce = async () => {
      try {
        await this.#client.send(command, { abortSignal })
      } catch (error) {
        mayComeLate ||= isTransient(error)
        throw error
      }
    }
    try {
      await withRetries(tryOnce, { ...this.#retry, deadlineMs: this.#deleteWithinMs / 2 })
    } catch (error) {
      throw asS3Error(error)
    } finally {
      if (mayComeLate) await sleep(this.#deleteWithinMs)
    }
  }

  /** The bytes of a span. An answer that breaks off is taken up again where it ended. */
  async *#download(key: string, span: { start: number; end: number }, signal: AbortSignal): AsyncGenerator<Buffer> {
    let position = span.start
    for (let attempt = 1; position <= span.end; attempt += 1) {
      try {
        for await (const chunk of await this.#get(key, { start: position, end: span.end }, signal)) {
          position += chunk.length
          yield chunk
        }
        if (position <= span.end) throw new Error(`${key} broke off at byte ${position}`)
      } catch (error) {
        if (attempt >= this.#retry.attempts || !isTransient(error) || signal.aborted) throw asS3Error(error)
        await waitBefore(attempt, this.#retry)
      }
    }
  }

  async #get(key: string, span: { start: number; end: number }, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: key, Range: `bytes=${span.start}-${span.end}` })
    const { Body, ContentRange } = await this.#client.send(command, { abortSignal: signal })
    if (Body === undefined || !ContentRange?.startsWith(`bytes ${span.start}-${span.end}/`)) {
      throw new Error(`the server answered ${ContentRange ?? 'no range'} instead of ${span.start}-${span.end}`)
    }
    return Body as AsyncIterable<Buffer>
  }

  #listPage(prefix: string, token: string | undefined): Promise<ListObjectsV2CommandOutput> {
    const command = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ContinuationToken: token })
    return this.#answer(() => this.#client.send(command))
  }

  async #answer<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withRetries(work, this.#retry)
    } catch (error) {
      throw asS3Error(error)
    }
  }
}

const base64Of = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')
