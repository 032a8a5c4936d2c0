import { Button } from '../../ui/button.tsx'
import { ICONS } from '../icons.ts'
import { Card } from '../parts/card.tsx'
import { Checkbox } from '../parts/checkbox.tsx'
import { Choice } from '../parts/choice.tsx'
import { Input } from '../parts/input.tsx'
import { addressesNeeded, asksProvider, callPerson, newPerson, type Draft, type DraftPerson } from './draft.ts'

const NAME_LENGTH = 255
const MOST_PEOPLE = 100

export type PeopleFieldProps = { draft: Draft; onChange: (people: DraftPerson[]) => void }

/** Who signs, and who after whom. */
export function PeopleField({ draft, onChange }: PeopleFieldProps) {
  const { people } = draft
  const replace = (person: DraftPerson, changes: Partial<DraftPerson>) =>
    onChange(people.map((other) => (other === person ? { ...other, ...changes } : other)))
  return (
    <Card title="People">
      {people.map((person, index) => (
        <fieldset key={person.key} className="person">
          <legend>{callPerson(person, index)}</legend>
          <PersonFields draft={draft} person={person} onChange={(changes) => replace(person, changes)} />
          {people.length > 1 && (
            <Button icon={ICONS.remove} onPress={() => onChange(people.filter((other) => other !== person))}>
              Remove<span className="for-screen-readers"> {callPerson(person, index)}</span>
            </Button>
          )}
        </fieldset>
      ))}
      {people.length < MOST_PEOPLE && (
        <div>
          <Button icon={ICONS.plus} onPress={() => onChange([...people, newPerson(people.at(-1)?.group)])}>
            Add a person
          </Button>
        </div>
      )}
    </Card>
  )
}

type PersonFieldsProps = { draft: Draft; person: DraftPerson; onChange: (changes: Partial<DraftPerson>) => void }

function PersonFields({ draft, person, onChange }: PersonFieldsProps) {
  const needed = addressesNeeded(draft)
  const field = (name: 'firstName' | 'lastName' | 'areaCode' | 'personalIdentifier', label: string) => (
    <Input
      label={label}
      value={person[name]}
      onChange={(value) => onChange({ [name]: value })}
      maxLength={NAME_LENGTH}
    />
  )
  return (
    <div className="fields">
      {field('firstName', 'First name')}
      {field('lastName', 'Last name')}
      {(needed.email || !needed.mobilePhone) && (
        <Input
          label={needed.email ? 'E-mail address' : 'E-mail address (if you like)'}
          kind="email"
          value={person.email}
          onChange={(email) => onChange({ email })}
          maxLength={254}
        />
      )}
      {needed.mobilePhone && (
        <Input
          label="Mobile number"
          kind="tel"
          hint="With the country’s code, such as +358 40 1234567."
          value={person.mobilePhone}
          onChange={(mobilePhone) => onChange({ mobilePhone })}
          maxLength={40}
        />
      )}
      {asksProvider(draft) && field('areaCode', 'Code of the identity provider')}
      {asksProvider(draft) && field('personalIdentifier', 'Personal identifier (must match, if given)')}
      {draft.people.length > 1 && (
        <Choice
          label="Signs"
          value={String(person.group)}
          options={listGroups(draft.people.length)}
          onChange={(group) => onChange({ group: Number(group) })}
        />
      )}
      {draft.people.length > 1 && (
        <Checkbox isOn={person.isMandatory} onChange={(isMandatory) => onChange({ isMandatory })}>
          This signature is needed
        </Checkbox>
      )}
    </div>
  )
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** As many steps as there are people; those of one step sign side by side. */
function listGroups(amount: number): [string, string][] {
  return ORDINALS.slice(0, amount).map((word, index) => [String(index + 1), `In the ${word} group`])
}
