// Who knows what the messages of each kind say.
import { disabledFacts } from '#features/hooks/index.ts'
import type { MessageRegistry } from '#features/messages/index.ts'
import { accountFacts } from '#features/onboarding/index.ts'
import { codeFacts } from '#features/signer/index.ts'
import { askingFacts, completedFacts, endingFacts } from '#features/signing/index.ts'

export const messageFacts: MessageRegistry = {
  invitation: askingFacts,
  reminder: askingFacts,
  code: codeFacts,
  canceled: endingFacts,
  completed: completedFacts,
  userinvitation: accountFacts,
  passwordreset: accountFacts,
  webhookdisabled: disabledFacts,
}
