import { oneLine } from '#i18n/one-line.ts'
import type { Config } from '#platform/config/config.ts'
import { openMailer } from '#platform/mail/mailer.ts'
import { openSmsGateway } from '#platform/outbound/sms-gateway.ts'
import type { Letter } from './letter.ts'
import type { Channel } from './message.ts'
import { writeHtml } from './write-html.ts'
import { writeText } from './write-text.ts'

export type Parcel = {
  letter: Letter
  address: string
  name: string | null
  /** The message's own id, and the Message-ID of its first try. */
  id: string
  mailId: string
}

/** Sends one message. Throws PermanentRefusal where another try would be in vain. */
export type Gateway = (parcel: Parcel) => Promise<void>

/** A way for each channel that is configured. */
export function openGateways({ mail, sms }: Pick<Config, 'mail' | 'sms'>): Partial<Record<Channel, Gateway>> {
  return { ...(mail && { email: throughMail(mail) }), ...(sms && { sms: throughSms(sms) }) }
}

export function hasGateway({ mail, sms }: Pick<Config, 'mail' | 'sms'>, channel: Channel): boolean {
  return (channel === 'email' ? mail : sms) !== undefined
}

function throughMail(config: NonNullable<Config['mail']>): Gateway {
  const mailer = openMailer(config)
  const ourName = config.from.name
  return ({ letter, address, name, mailId }) =>
    mailer.send({
      to: { name: name === null ? undefined : oneLine(name), address },
      // The organisation comes first, and the service's own name behind it: several organisations may share an address.
      fromName: ourName === undefined ? letter.organisation : `${letter.organisation} · ${ourName}`,
      subject: letter.subject,
      text: writeText(letter),
      html: writeHtml(letter),
      messageId: mailId,
      language: letter.language,
    })
}

function throughSms(config: NonNullable<Config['sms']>): Gateway {
  const gateway = openSmsGateway(config)
  return ({ letter, address, id }) => gateway.send({ to: address, text: letter.sms, id })
}
