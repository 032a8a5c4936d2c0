// Small answers from servers outside: one request, no redirects, a deadline and a limit. Addresses that an operator has
// configured may lie anywhere; all others must be public, judged by the address that is really connected to.
import { lookup as resolveName, type LookupAddress } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { followCall } from '#platform/tracing/follow.ts'
import { classifyAddress, classifyHost } from './address-guard.ts'

export type BytesRequest = {
  url: string
  method: 'GET' | 'POST'
  body?: Buffer
  headers?: Record<string, string>
  /** Whose word the address is: the operator's may name a neighbour, anybody else's may not. */
  isChosenByOperator: boolean
  timeoutMs: number
  mostBytes: number
  /** Which answers are answers; 200 alone unless said otherwise. */
  statuses?: readonly number[]
}

/** Why an answer did not come; for logs and for whoever decides to try again. */
export class OutboundError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OutboundError'
  }
}

/** The body of an answer with one of the statuses; anything else throws an OutboundError. */
export async function fetchBytes(request: BytesRequest): Promise<Buffer> {
  const url = new URL(request.url)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new OutboundError('only http and https are spoken')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!request.isChosenByOperator && classifyHost(host) !== 'public') {
    throw new OutboundError(`${url.hostname} is not an address of the public internet`)
  }
  const deadline = AbortSignal.timeout(request.timeoutMs)
  try {
    return await followCall({ method: request.method, url }, () => send(url, request, deadline))
  } catch (error) {
    if (error instanceof OutboundError) throw error
    if (deadline.aborted) throw new OutboundError(`${url.host} did not answer in time`, { cause: error })
    throw new OutboundError(`${url.host} could not be reached`, { cause: error })
  }
}

function send(url: URL, request: BytesRequest, signal: AbortSignal): Promise<Buffer> {
  const begin = url.protocol === 'https:' ? requestHttps : requestHttp
  const { method, body, headers = {}, isChosenByOperator, mostBytes, statuses = [200] } = request
  const options = {
    method,
    signal,
    headers: { ...headers, ...(body && { 'content-length': String(body.length) }) },
    // Without keeping the connection, nothing is left behind that a later stop would wait for.
    agent: false as const,
    ...(!isChosenByOperator && { lookup: lookUpPublic }),
  }
  return new Promise((resolve, reject) => {
    const call = begin(url, options, (response) => {
      const chunks: Buffer[] = []
      let size = 0
      if (!statuses.includes(response.statusCode ?? 0)) {
        response.destroy()
        reject(new OutboundError(`${url.host} answered with status ${response.statusCode}`))
        return
      }
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= mostBytes) chunks.push(chunk)
        else response.destroy(new OutboundError(`${url.host} answered with more than ${mostBytes} bytes`))
      })
      response.on('end', () => resolve(Buffer.concat(chunks)))
      response.on('error', reject)
    })
    call.on('error', reject)
    call.end(body)
  })
}

/** A name may promise anything: what counts is the address that it leads to at this moment. */
const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, '')
    const found = addresses.filter(({ address }) => isIP(address) !== 0 && classifyAddress(address) === 'public')
    const [first] = found
    if (first === undefined) return callback(new OutboundError(`${hostname} leads to no public address`), '')
    if (options.all) return callback(null, found)
    return callback(null, first.address, first.family)
  })
}
