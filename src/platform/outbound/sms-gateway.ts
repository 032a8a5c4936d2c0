// Text messages by the HTTP gateway that the operator has configured.
import type { SmsConfig } from '#platform/config/gateways.ts'
import { PermanentRefusal } from '#platform/mail/mailer.ts'
import { followCall, noteStatus } from '#platform/tracing/follow.ts'

export type TextMessage = {
  to: string
  text: string
  /** The same at every try, for gateways that recognise a repeat. */
  id: string
}

export type SmsGateway = { send(message: TextMessage): Promise<void> }

const ANSWER_WITHIN_MS = 15_000
const E164 = /^\+[1-9]\d{5,14}$/
/** Refusals that may pass: slow, too early, too many. Those of the login are a matter of configuration. */
const PASSING = [401, 403, 407, 408, 425, 429]

/** Hands messages to the gateway. Throws PermanentRefusal where another try would be in vain. */
export function openSmsGateway({ url, headers, body }: SmsConfig): SmsGateway {
  return {
    async send({ to, text, id }) {
      if (!E164.test(to)) throw new PermanentRefusal('this is not a phone number')
      const response = await post(url, {
        headers: { 'content-type': 'application/json', 'idempotency-key': id, ...headers },
        body: JSON.stringify(fillIn(body, { '{to}': to, '{text}': text })),
      })
      if (response >= 200 && response < 300) return
      const what = `the SMS gateway answered with status ${response}`
      throw response >= 400 && response < 500 && !PASSING.includes(response)
        ? new PermanentRefusal(what)
        : new Error(what)
    },
  }
}

async function post(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<number> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    return await followCall({ method: 'POST', url: new URL(url) }, async (step) => {
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
      await response.body?.cancel()
      noteStatus(step, response.status)
      return response.status
    })
  } catch (error) {
    throw new Error('the SMS gateway can not be reached', { cause: error })
  }
}

/** Fills in every text of the template in one pass: what is filled in is not looked at again. */
function fillIn(template: unknown, values: { '{to}': string; '{text}': string }): unknown {
  if (typeof template === 'string') {
    return template.replaceAll(/\{to\}|\{text\}/g, (marker) => values[marker as keyof typeof values])
  }
  if (Array.isArray(template)) return template.map((part) => fillIn(part, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([key, part]) => [key, fillIn(part, values)]))
}
