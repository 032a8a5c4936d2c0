// Collects what is found about one signature and draws the indication from it.
import type { Finding, Indication, SubIndication } from './report.ts'

export class Findings {
  readonly list: Finding[] = []
  private failure: SubIndication | undefined
  private doubt: SubIndication | undefined

  /** The signature is wrong, whatever else may hold. */
  fail(subIndication: SubIndication, message: string): void {
    this.failure ??= subIndication
    this.list.push({ weight: 'failure', message })
  }

  /** It can't be said that the signature is right. */
  question(subIndication: SubIndication, message: string): void {
    this.doubt ??= subIndication
    this.list.push({ weight: 'doubt', message })
  }

  note(message: string): void {
    this.list.push({ weight: 'note', message })
  }

  /** Takes over what was found about one aspect. */
  absorb(other: Findings): void {
    this.failure ??= other.failure
    this.doubt ??= other.doubt
    this.list.push(...other.list)
  }

  get hasFailed(): boolean {
    return this.failure !== undefined
  }

  get isClean(): boolean {
    return this.failure === undefined && this.doubt === undefined
  }

  /** A failure outweighs a doubt; of several, the first found is named. */
  get result(): { indication: Indication; subIndication?: SubIndication } {
    if (this.failure !== undefined) return { indication: 'TOTAL-FAILED', subIndication: this.failure }
    if (this.doubt !== undefined) return { indication: 'INDETERMINATE', subIndication: this.doubt }
    return { indication: 'TOTAL-PASSED' }
  }
}
