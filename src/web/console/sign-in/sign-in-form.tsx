import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Input } from '../parts/input.tsx'
import { Link } from '../router.tsx'
import { service, type Answer } from '../service.ts'
import { useAction } from '../use-action.ts'
import { ChooseTenant } from './choose-tenant.tsx'
import { EnterCode } from './enter-code.tsx'

const EMAIL_LENGTH = 254
const PASSWORD_LENGTH = 256

export type SignInFormProps = { login?: string; onSignedIn: () => Promise<void> }

/** E-mail address and password; then the organisation where there are several, and the code where there is an app. */
export function SignInForm({ login: known = '', onSignedIn }: SignInFormProps) {
  const [login, setLogin] = useState(known)
  const [password, setPassword] = useState('')
  const [tenantId, setTenantId] = useState<string>()
  const [answer, setAnswer] = useState<Answer<'signIn'>>()
  const { isBusy, error, run } = useAction()

  const signIn = (more: { tenantId?: string | undefined; code?: string }) =>
    run(async () => {
      const given = { tenantId: more.tenantId ?? tenantId, code: more.code }
      const next = await service.signIn({ login, password, ...defined(given) })
      if (next.state === 'SignedIn') return onSignedIn()
      setTenantId(given.tenantId)
      setAnswer(next)
    })

  if (answer?.state === 'CodeNeeded')
    return <EnterCode isBusy={isBusy} error={error} onCode={(code) => signIn({ code })} />
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

function defined<T extends Record<string, string | undefined>>(fields: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string
  }
}
