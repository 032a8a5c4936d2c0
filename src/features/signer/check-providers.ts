import { describeError } from '#platform/log/log.ts'
import { checkProvider } from '#platform/outbound/identity-provider.ts'
import type { Platform } from '#platform/platform.ts'
import { identityProviderTrouble } from '#platform/troubles/trouble-names.ts'
import { watchTrouble } from '#platform/troubles/troubles.ts'

/** Lets readiness know which identity providers answer, before somebody stands in front of one that does not. */
export async function checkIdentityProviders(platform: Platform): Promise<void> {
  for (const provider of platform.config.identityProviders.values()) {
    const { areaCode } = provider
    await watchTrouble(platform, identityProviderTrouble(areaCode), () => checkProvider(provider)).catch(
      (error: unknown) => {
        platform.log.warn({ areaCode, error: describeError(error) }, 'an identity provider does not answer')
      },
    )
  }
}
