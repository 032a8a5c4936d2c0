import { Button } from '../../ui/button.tsx'
import { ICONS } from '../icons.ts'
import { Card } from '../parts/card.tsx'
import { Checkbox } from '../parts/checkbox.tsx'
import { Choice } from '../parts/choice.tsx'
import { Input } from '../parts/input.tsx'
import { addressesNeeded, asksProvider, callPerson, newPerson, type DraftPerson, type Manner } from './draft.ts'
import { useChoices } from './use-choices.ts'

const NAME_LENGTH = 255
const MOST_PEOPLE = 100

export type PeopleFieldProps = {
  people: DraftPerson[]
  manner: Manner
  /** A template may leave out who signs, and names parts that people play. */
  isTemplate?: boolean
  onChange: (people: DraftPerson[]) => void
}

/** Who signs, and who after whom. */
export function PeopleField({ people, manner, isTemplate = false, onChange }: PeopleFieldProps) {
  const least = isTemplate ? 0 : 1
  const replace = (person: DraftPerson, changes: Partial<DraftPerson>) =>
    onChange(people.map((other) => (other === person ? { ...other, ...changes } : other)))
  return (
    <Card title="People">
      {isTemplate && (
        <p className="quiet">Who signs every time, or roles, such as “Landlord”: whoever sends fills in the rest.</p>
      )}
      {people.map((person, index) => (
        <fieldset key={person.key} className="person">
          <legend>{callPerson(person, index)}</legend>
          <PersonFields
            person={person}
            amount={people.length}
            manner={manner}
            isTemplate={isTemplate}
            onChange={(changes) => replace(person, changes)}
          />
          {people.length > least && (
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

type PersonFieldsProps = {
  person: DraftPerson
  amount: number
  manner: Manner
  isTemplate: boolean
  onChange: (changes: Partial<DraftPerson>) => void
}

function PersonFields({ person, amount, manner, isTemplate, onChange }: PersonFieldsProps) {
  const needed = addressesNeeded(manner)
  const field = (name: 'firstName' | 'lastName' | 'personalIdentifier' | 'role', label: string) => (
    <Input
      label={label}
      value={person[name]}
      onChange={(value) => onChange({ [name]: value })}
      maxLength={NAME_LENGTH}
    />
  )
  return (
    <div className="fields">
      {(isTemplate || person.role !== '') && field('role', 'Role or signature field')}
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
      {asksProvider(manner) && <ProviderChoice person={person} onChange={onChange} />}
      {asksProvider(manner) && field('personalIdentifier', 'Personal identifier (must match, if given)')}
      {amount > 1 && (
        <Choice
          label="Signs"
          value={String(person.group)}
          options={listGroups(amount)}
          onChange={(group) => onChange({ group: Number(group) })}
        />
      )}
      {amount > 1 && (
        <Checkbox isOn={person.isMandatory} onChange={(isMandatory) => onChange({ isMandatory })}>
          This signature is needed
        </Checkbox>
      )}
    </div>
  )
}

/** The identity providers of this installation. A code that is none of them any more stays visible. */
function ProviderChoice({ person: { areaCode }, onChange }: Pick<PersonFieldsProps, 'person' | 'onChange'>) {
  const codes = useChoices()?.areaCodes ?? []
  const known = codes.includes(areaCode.toLowerCase()) || areaCode === '' ? codes : [...codes, areaCode]
  return (
    <Choice
      label="Identity provider"
      value={areaCode}
      options={[['', 'Choose one'], ...known.map((code) => [code, code.toUpperCase()] as const)]}
      hint={codes.length === 0 ? 'None is configured here. Ask who runs this service.' : undefined}
      onChange={(code) => onChange({ areaCode: code })}
    />
  )
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** As many steps as there are people; those of one step sign side by side. */
function listGroups(amount: number): [string, string][] {
  return ORDINALS.slice(0, amount).map((word, index) => [String(index + 1), `In the ${word} group`])
}
