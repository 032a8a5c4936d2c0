// The ids that answers held, by the names that requests know them by.
import { nounOf } from './requests.ts'

const MOST_OF_A_KIND = 300

/** What a field of a request is called in the answers that it comes from. */
const SOURCES: Record<string, string> = {
  parentDepartmentId: 'departmentId',
  DepartmentId: 'departmentId',
  department: 'departmentId',
  sealingRequestId: 'sealingrequest',
  signatureRequestId: 'signaturerequest',
  entityId: 'signaturerequest',
  subscriptionId: 'subscription',
  documentId: 'document',
  signatureRequestTemplateId: 'requesttemplate',
  sealingRequestTemplateId: 'requesttemplate',
  documentURI: 'uri',
  templateUri: 'uri',
  id: 'shown',
}

export class Harvest {
  readonly #all: string[]
  readonly #byName = new Map<string, string[]>()

  constructor(strangers: string[]) {
    this.#all = [...strangers, '00000000-0000-7000-8000-000000000000']
  }

  /** Begins again with what a caller has: the ids that others had lead nowhere for it. */
  begin(own: readonly [name: string, id: string][]): void {
    this.#byName.clear()
    for (const [name, id] of own) this.keep(name, id)
  }

  /** Keeps the ids of an answer: an `id` under the noun of the path, the others under their own names. */
  take(path: string, text: string): void {
    for (const [, name, id] of text.matchAll(/"(\w+)":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/g)) {
      this.keep(name === 'id' ? nounOf(path) : name!, id!)
    }
  }

  keep(name: string, id: string): void {
    const known = this.#byName.get(name) ?? []
    keep(known, id)
    this.#byName.set(name, known)
    keep(this.#all, id)
  }

  /** An id of that name, or any where there is none. */
  pick(name: string, choice: number): string {
    const known = this.#byName.get(SOURCES[name] ?? name) ?? this.#all
    return known[choice % known.length]!
  }
}

/** The newest come last; what is too old goes first. */
function keep(ids: string[], id: string): void {
  if (ids.includes(id)) return
  ids.push(id)
  if (ids.length > MOST_OF_A_KIND) ids.shift()
}
