// What a message says, part by part, before it is written as text, as HTML or as a text message. Pure.
import { oneLine } from '#i18n/one-line.ts'
import { formatMoment, formatTime } from '#i18n/dates.ts'
import { nearestLanguage, type Language } from '#i18n/languages.ts'
import type { MailTexts } from '#i18n/mail/en.ts'
import { MAIL } from '#i18n/mail/index.ts'
import { makeSpeaker, type Values } from '#i18n/translate.ts'
import type { MessageFacts } from './facts.ts'
import type { Message, MessageKind } from './message.ts'

export type Letter = {
  language: Language
  /** Of the e-mail. */
  subject: string
  organisation: string
  department: string | undefined
  greeting: string
  headline: string
  /** What follows the headline, a sentence or two each. */
  lines: string[]
  code: string | undefined
  button: { label: string; url: string } | undefined
  /** What helps with the button, below it. */
  notes: string[]
  copyAddress: string
  /** Why this is no fraud. */
  real: { title: string; lines: string[] } | undefined
  footer: string
  /** For whoever does not know the sender. */
  report: { label: string; url: string } | undefined
  /** The whole as one text message. */
  sms: string
}

export type LetterInput = {
  message: Pick<Message, 'kind' | 'language'>
  facts: MessageFacts
  /** Where the service is found: the configured address. */
  address: string
  timezone: string
}

const LONGEST_IN_SUBJECT = 120
const LONGEST_IN_SMS = 60

/** Puts together what is to be said, in the reader's language. */
export function writeLetter(input: LetterInput): Letter {
  const context = makeContext(input)
  const { say, names, language } = context
  const { facts } = input
  const url = facts.path === undefined ? undefined : input.address + facts.path
  const part = PARTS[input.message.kind](context)
  const button = url !== undefined && part.button !== undefined ? { label: part.button, url } : undefined
  return {
    language,
    subject: part.subject,
    organisation: names.organisation,
    department: departmentOf(facts),
    greeting: facts.name === null ? say('greetingWithoutName') : say('greeting', { name: oneLine(facts.name) }),
    headline: part.headline,
    lines: part.lines.filter((line) => line !== undefined),
    code: input.message.kind === 'code' ? facts.code?.digits : undefined,
    button,
    notes: part.notes ?? [],
    copyAddress: say('copyAddress'),
    real: button && describeReal(context, button.url, input.message.kind),
    footer: say('footer', names),
    report: url !== undefined && part.report !== undefined ? { label: part.report, url: `${url}/report` } : undefined,
    sms: part.sms(url),
  }
}

type Part = {
  subject: string
  headline: string
  lines: (string | undefined)[]
  button?: string
  notes?: string[]
  report?: string
  sms(url: string | undefined): string
}

function makeContext({ message, facts, timezone }: LetterInput) {
  const language = nearestLanguage(message.language)
  const moment = (at: Date) => ({ tag: message.language, at, timezone })
  const speak = makeSpeaker(MAIL, language)
  const organisation = oneLine(facts.sender.organisation)
  const subject = oneLine(facts.subject ?? '')
  return {
    language,
    facts,
    say: (key: keyof MailTexts, values?: Values) => withOneStop(speak(key, values)),
    names: { organisation, subject },
    /** The same, short enough for the line that a mail program shows in its list. */
    brief: { organisation: shorten(organisation, LONGEST_IN_SUBJECT), subject: shorten(subject, LONGEST_IN_SUBJECT) },
    tiny: { organisation: shorten(organisation, LONGEST_IN_SMS), subject: shorten(subject, LONGEST_IN_SMS) },
    deadline: facts.expirationAt ? formatMoment(moment(facts.expirationAt)) : undefined,
    codeEnds: facts.code ? formatTime(moment(facts.code.expiresAt)) : '',
  }
}

type Context = ReturnType<typeof makeContext>

const PARTS: Readonly<Record<MessageKind, (context: Context) => Part>> = {
  invitation: (context) => askToSign(context, 'invitation'),
  reminder: (context) => askToSign(context, 'reminder'),
  code: tellCode,
  canceled: tellEnding,
  completed: tellCompletion,
  userinvitation: (context) => askForPassword(context, 'account'),
  passwordreset: (context) => askForPassword(context, 'reset'),
  webhookdisabled: tellOfWebhook,
}

function askToSign({ say, names, brief, tiny, deadline, facts }: Context, kind: 'invitation' | 'reminder'): Part {
  return {
    subject: say(`${kind}Subject`, brief),
    headline: say(`${kind}Headline`, names),
    lines: [
      facts.sender.person === null ? undefined : say('sentBy', { sender: oneLine(facts.sender.person) }),
      deadline === undefined ? undefined : say('deadline', { deadline }),
    ],
    button: say('signButton'),
    notes: [say('howToDecline'), say('linkIsYours')],
    report: say('reportLink'),
    sms: (url) =>
      [
        say(kind === 'invitation' ? 'smsInvitation' : 'smsReminder', { ...tiny, url: url ?? '' }),
        ...(deadline === undefined ? [] : [say('smsDeadline', { deadline })]),
      ].join('\n'),
  }
}

function tellCode({ say, names, brief, tiny, facts, codeEnds: time }: Context): Part {
  return {
    subject: say('codeSubject', brief),
    headline: say('codeHeadline'),
    lines: [say('codeExpires', { time }), say('codeForYou', names), say('codeNotAsked')],
    sms: () => say('smsCode', { ...tiny, code: facts.code?.digits ?? '', time }),
  }
}

function tellEnding({ say, names, brief, tiny, facts }: Context): Part {
  const { how, reason } = facts.ending ?? { how: 'canceled', reason: null }
  return {
    subject: say('canceledSubject', brief),
    headline: say(`${how}Headline`, names),
    lines: [reason === null ? undefined : say('reason', { reason: oneLine(reason) }), say('nothingToDo')],
    sms: () => say('smsEnded', tiny),
  }
}

function tellCompletion({ say, names, brief, tiny, facts }: Context): Part {
  return {
    subject: say('completedSubject', brief),
    headline: say('completedHeadline', names),
    lines: [facts.path === undefined ? say('completedCopy', names) : undefined],
    button: say('downloadButton'),
    sms: () => say('smsCompleted', tiny),
  }
}

function askForPassword({ say, names, brief, tiny, deadline }: Context, why: 'account' | 'reset'): Part {
  return {
    subject: say(`${why}Subject`, brief),
    headline: say(`${why}Headline`, names),
    lines: [deadline === undefined ? undefined : say(`${why}Next`, { deadline })],
    button: say('passwordButton'),
    notes: [say('linkIsYours')],
    sms: () => say(`${why}Subject`, tiny),
  }
}

function tellOfWebhook({ say, brief, tiny, facts }: Context): Part {
  const { id = '', eventType = '', host = '', cause = 'failing' } = facts.webhook ?? {}
  return {
    subject: say('webhookSubject', brief),
    headline: say('webhookHeadline', { eventType, host: oneLine(host) }),
    lines: [say(cause === 'gone' ? 'webhookGone' : 'webhookFailing'), say('webhookNext'), say('webhookId', { id })],
    sms: () => say('webhookSubject', tiny),
  }
}

function describeReal({ say, names }: Context, url: string, kind: MessageKind): Letter['real'] {
  const { host } = new URL(url)
  // Whoever gets an account, or has lost the password to it, is asked for one.
  const nothingElse = kind === 'userinvitation' || kind === 'passwordreset' ? [] : [say('realNothingElse')]
  return {
    title: say('realTitle'),
    lines: [say('realAddress', { host }), ...nothingElse, say('realInDoubt', names)],
  }
}

function departmentOf({ sender: { organisation, department } }: MessageFacts): string | undefined {
  return department === organisation ? undefined : oneLine(department)
}

/** A name that ends with a full stop, like “Acme Inc.”, brings the one that ends the sentence. */
function withOneStop(sentence: string): string {
  return sentence.replace(/([^.])\.\.$/, '$1.')
}

function shorten(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
