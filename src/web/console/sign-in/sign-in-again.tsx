import { Sheet } from '../../ui/sheet.tsx'
import { SignInForm } from './sign-in-form.tsx'

export type SignInAgainProps = { login: string; onSignedIn: () => Promise<void> }

/** Above the page that somebody has been working on, so that nothing of it is lost. */
export function SignInAgain({ login, onSignedIn }: SignInAgainProps) {
  return (
    <Sheet title="Sign in again" closeLabel="Leave" onClose={() => window.location.assign('/console')}>
      <p>You have been signed out. What you were doing is still here: sign in, and go on.</p>
      <SignInForm login={login} onSignedIn={onSignedIn} />
    </Sheet>
  )
}
