// What is written down of the people and programs that administer a tenant. Each action begins with the kind of thing that
// it was done to. Pure.

const DEEDS = {
  tenant: ['changed', 'stopped', 'resumed'],
  department: ['created', 'changed', 'moved', 'deleted'],
  user: [
    'created',
    'changed',
    'deactivated',
    'reactivated',
    'invited',
    'passwordset',
    'factoradded',
    'factorremoved',
    'factorreset',
    'passkeyadded',
    'passkeyremoved',
    'signedin',
    'signinfailed',
    'signedout',
  ],
  subscriptionkey: ['created', 'rotated', 'revoked'],
  certificate: ['created', 'revoked'],
  documenttemplate: ['created', 'changed', 'deleted'],
  requesttemplate: ['created', 'changed', 'deleted'],
  subscription: ['created', 'deleted', 'paused', 'resumed', 'rotated', 'tested', 'replayed'],
  message: ['viewed'],
} as const satisfies Record<string, readonly string[]>

export type TargetType = keyof typeof DEEDS
export type Action = { [T in TargetType]: `${T}.${(typeof DEEDS)[T][number]}` }[TargetType]

export const TARGET_TYPES = Object.keys(DEEDS) as TargetType[]
export const ACTIONS = TARGET_TYPES.flatMap((type) => DEEDS[type].map((deed) => `${type}.${deed}` as Action))

/** Few and harmless: names of fields, counts, a choice. Never a value that somebody could sign in or sign with. */
export type Details = Record<string, string | number | boolean | string[]>

export function targetTypeOf(action: Action): TargetType {
  return action.slice(0, action.indexOf('.')) as TargetType
}
