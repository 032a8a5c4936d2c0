import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Input } from '../parts/input.tsx'
import type { PasskeyAnswer } from '../passkeys.ts'
import { Link } from '../router.tsx'
import { service, type Answer } from '../service.ts'
import { useAction } from '../use-action.ts'
import { ChooseTenant } from './choose-tenant.tsx'
import { SecondFactor } from './second-factor.tsx'

const EMAIL_LENGTH = 254
const PASSWORD_LENGTH = 256

type More = { tenantId?: string; code?: string; passkey?: PasskeyAnswer }

export type SignInFormProps = { login?: string; onSignedIn: () => Promise<void> }

/** E-mail address and password; then the organisation where there are several, and the second factor. */
export function SignInForm({ login: known = '', onSignedIn }: SignInFormProps) {
  const [login, setLogin] = useState(known)
  const [password, setPassword] = useState('')
  const [tenantId, setTenantId] = useState<string>()
  const [answer, setAnswer] = useState<Answer<'signIn'>>()
  const { isBusy, error, run } = useAction()

  const ask = async (more: More) => {
    const chosen = more.tenantId ?? tenantId
    const next = await service.signIn({ login, password, ...(chosen && { tenantId: chosen }), ...more })
    if (next.state === 'SignedIn') return onSignedIn()
    setTenantId(chosen)
    setAnswer(next)
  }
  const signIn = (more: More) => run(() => ask(more))
  /** What a device has signed is used up, right or wrong: a refusal brings something new to sign with it. */
  const signInByDevice = (touch: () => Promise<PasskeyAnswer>) =>
    run(async () => {
      const passkey = await touch()
      await ask({ passkey }).catch(async (refusal: unknown) => {
        await ask({})
        throw refusal
      })
    })

  if (answer?.state === 'CodeNeeded')
    return (
      <SecondFactor
        needed={answer}
        isBusy={isBusy}
        error={error}
        onCode={(code) => signIn({ code })}
        onPasskey={signInByDevice}
      />
    )
  if (answer?.tenants)
    return (
      <ChooseTenant
        tenants={answer.tenants}
        isBusy={isBusy}
        error={error}
        onChoose={(chosen) => signIn({ tenantId: chosen })}
      />
    )
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        void signIn({})
      }}
    >
      <Input
        label="E-mail address"
        kind="email"
        autoComplete="username"
        value={login}
        onChange={setLogin}
        maxLength={EMAIL_LENGTH}
        isRequired
      />
      <Input
        label="Password"
        kind="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        maxLength={PASSWORD_LENGTH}
        isRequired
      />
      {error && <ErrorNotice error={error} />}
      <div className="form-actions">
        <Button kind="primary" isBusy={isBusy}>
          Sign in
        </Button>
        <Link to="/console/forgot">Forgot your password?</Link>
      </div>
    </form>
  )
}
