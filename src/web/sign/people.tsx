import { Icon, type IconName } from '../ui/icon.tsx'
import { useWords, type Words } from './words.ts'

type Person = { name: string; state: string }
type StateWords = { icon: IconName; word: Parameters<Words['say']>[0]; tone: string }

const WAITING: StateWords = { icon: 'clock', word: 'stateWaiting', tone: 'quiet' }
const STATES: Readonly<Record<string, StateWords>> = {
  Invited: { icon: 'clock', word: 'stateInvited', tone: 'quiet' },
  Viewed: { icon: 'page', word: 'stateViewed', tone: 'quiet' },
  Signed: { icon: 'done', word: 'stateSigned', tone: 'good' },
  Declined: { icon: 'cross', word: 'stateDeclined', tone: 'bad' },
  Skipped: { icon: 'clock', word: 'stateSkipped', tone: 'quiet' },
}

/** The others who sign, each with what they have done so far. */
export function People({ people }: { people: Person[] | null }) {
  const { say } = useWords()
  if (people === null || people.length === 0) return null
  return (
    <section className="people">
      <h2>{say('people')}</h2>
      <ul>
        {people.map((person, at) => (
          <li key={at}>
            <span>{person.name}</span>
            <PersonState state={person.state} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function PersonState({ state }: { state: string }) {
  const { say } = useWords()
  const { icon, word, tone } = STATES[state] ?? WAITING
  return (
    <span className={`with-icon small ${tone}`}>
      <Icon name={icon} />
      <span>{say(word)}</span>
    </span>
  )
}
