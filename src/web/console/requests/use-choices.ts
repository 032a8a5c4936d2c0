import { service, type Answer } from '../service.ts'
import { useResource } from '../use-resource.ts'

export type AuthenticationChoices = Answer<'readAuthenticationChoices'>

/** What signatories can be asked for as this installation is configured; undefined until it is known. */
export function useChoices(): AuthenticationChoices | undefined {
  return useResource('authentication choices', () => service.readAuthenticationChoices()).data
}
