// Whose turn it is. Groups sign in rising order; within a group everybody may sign at once. Pure.
import { oneLine } from '#i18n/one-line.ts'
import type { SignatoryState } from '../signature-request.ts'

export type Person = {
  id: string
  isMandatory: boolean
  signingOrder: number
  state: SignatoryState
  hasConfirmed: boolean
}

/** The signatories whose turn has come and who have not been asked yet. */
export function nextToInvite<P extends Person>(people: readonly P[]): P[] {
  const orders = [...new Set(people.map((person) => person.signingOrder))].sort((a, b) => a - b)
  const invited: P[] = []
  for (const order of orders) {
    const group = people.filter((person) => person.signingOrder === order)
    invited.push(...group.filter((person) => person.state === 'Waiting'))
    if (group.some((person) => person.isMandatory && person.state !== 'Signed')) break
  }
  return invited
}

/** Whether nobody has to sign any more. Somebody who has confirmed and whose signature is being made is waited for. */
export function isComplete(people: readonly Person[]): boolean {
  return people.every(({ isMandatory, state, hasConfirmed }) => state === 'Signed' || (!isMandatory && !hasConfirmed))
}

/** Whether this person has been asked and has not answered yet. */
export function isAsked({ state }: Pick<Person, 'state'>): boolean {
  return state === 'Invited' || state === 'Viewed'
}

/** Whether this person has asked not to be written to about the request. Who has signed after all hears how it ends. */
export function isLeftAlone({ state, reportedAt }: Pick<Person, 'state'> & { reportedAt: Date | null }): boolean {
  return reportedAt !== null && state !== 'Signed'
}

type Named = { firstName: string | null; lastName: string | null; email: string | null; position: number }

/** What a signatory is called: by name, else by address. */
export function nameOf({ firstName, lastName, email, position }: Named): string {
  const name = oneLine([firstName, lastName].filter((part) => part !== null && part !== '').join(' '))
  return name || email || `Signatory ${position + 1}`
}
