import { Page } from '../parts/page.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** The door: whoever is not signed in meets it at every address. */
export function SignIn({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  return (
    <Page title="Sign in">
      <SignInForm onSignedIn={onSignedIn} />
    </Page>
  )
}
