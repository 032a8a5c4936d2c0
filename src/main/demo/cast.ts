// What the demonstration plays: believable requests of a small company, in every state that they can have.

export type Part = {
  subject: string
  fileName: string
  title: string
  paragraphs: readonly string[]
  people: readonly (readonly [firstName: string, lastName: string])[]
  language: string
  /** How far it goes: how many have signed, or what ended it. */
  ending: { signed: number } | 'draft' | 'declined' | 'canceled'
}

const LEASE = [
  'The landlord lets the premises on the second floor, 84 square metres, to the tenant for use as an office.',
  'The lease begins on the first day of next month and runs for three years. It goes on for a year at a time unless one side ends it in writing, six months before.',
  'The rent is 1,850 euros a month, payable in advance by the fifth. Heating and water are included, electricity is not.',
  'The tenant returns the premises in the state in which they were taken over, ordinary wear excepted.',
]
const EMPLOYMENT = [
  'The employer engages the employee as a designer, full time, from the first of next month.',
  'The first four months are a trial period, during which either side may end the employment without notice.',
  'The monthly salary is 3,900 euros. The employee has thirty days of paid leave a year.',
  'What the employee makes in the course of the work belongs to the employer.',
]
const CONFIDENTIAL = [
  'Each side keeps to itself what it learns of the other in the course of the talks, and uses it for them alone.',
  'This does not cover what is public, what was known before, or what a court orders to be told.',
  'The duty lasts five years from the day of the last signature.',
]
const ORDER = [
  'We order 120 chairs of the model Nordic in oak at 189 euros each, to be delivered by the end of next month.',
  'Payment is due thirty days after delivery. The prices are without value added tax.',
]
const MINUTES = [
  'The board found that it had been called in time and could decide.',
  'It approved the accounts of the past year and proposed that the profit be carried forward.',
  'It gave Maria Lindqvist and Juhani Korhonen the right to sign for the company together.',
]

export const CAST: readonly Part[] = [
  {
    subject: 'Lease for the office on Harbour Street',
    fileName: 'lease-harbour-street.pdf',
    title: 'Lease of business premises',
    paragraphs: LEASE,
    people: [
      ['Maria', 'Lindqvist'],
      ['Thomas', 'Becker'],
    ],
    language: 'en',
    ending: { signed: 2 },
  },
  {
    subject: 'Työsopimus: Aino Virtanen',
    fileName: 'tyosopimus-virtanen.pdf',
    title: 'Employment contract',
    paragraphs: EMPLOYMENT,
    people: [
      ['Juhani', 'Korhonen'],
      ['Aino', 'Virtanen'],
    ],
    language: 'fi',
    ending: { signed: 2 },
  },
  {
    subject: 'Non-disclosure agreement with Nordwind GmbH',
    fileName: 'nda-nordwind.pdf',
    title: 'Non-disclosure agreement',
    paragraphs: CONFIDENTIAL,
    people: [
      ['Maria', 'Lindqvist'],
      ['Sabine', 'Krüger'],
    ],
    language: 'de',
    ending: { signed: 1 },
  },
  {
    subject: 'Order of 120 chairs',
    fileName: 'order-chairs.pdf',
    title: 'Order',
    paragraphs: ORDER,
    people: [['Camille', 'Laurent']],
    language: 'fr',
    ending: { signed: 0 },
  },
  {
    subject: 'Minutes of the board, third quarter',
    fileName: 'minutes-q3.pdf',
    title: 'Minutes of the board',
    paragraphs: MINUTES,
    people: [
      ['Maria', 'Lindqvist'],
      ['Juhani', 'Korhonen'],
      ['Ingrid', 'Solberg'],
    ],
    language: 'en',
    ending: { signed: 3 },
  },
  {
    subject: 'Anställningsavtal: Erik Nyström',
    fileName: 'anstallningsavtal-nystrom.pdf',
    title: 'Employment contract',
    paragraphs: EMPLOYMENT,
    people: [['Erik', 'Nyström']],
    language: 'sv',
    ending: 'declined',
  },
  {
    subject: 'Lease for the warehouse',
    fileName: 'lease-warehouse.pdf',
    title: 'Lease of business premises',
    paragraphs: LEASE,
    people: [['Thomas', 'Becker']],
    language: 'en',
    ending: 'canceled',
  },
  {
    subject: 'Non-disclosure agreement, new supplier',
    fileName: 'nda-draft.pdf',
    title: 'Non-disclosure agreement',
    paragraphs: CONFIDENTIAL,
    people: [['Lucía', 'Fernández']],
    language: 'es',
    ending: 'draft',
  },
]
