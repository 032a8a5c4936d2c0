// Who is signed in. The service knows; the page asks once, and whenever it is told that the session has ended.
import { createContext, useContext } from 'react'
import type { Answer } from './service.ts'

export type Me = Answer<'readCaller'>

export const MeContext = createContext<Me | undefined>(undefined)

/** The person who is signed in; there always is one on the pages behind the sign-in. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (me === undefined) throw new Error('nobody is signed in here')
  return me
}
