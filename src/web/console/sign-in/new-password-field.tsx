import { Input } from '../parts/input.tsx'

export const LEAST_PASSWORD_LENGTH = 12
export const MOST_PASSWORD_LENGTH = 256

export type NewPasswordFieldProps = { value: string; onChange: (value: string) => void; fault?: string | undefined }

/** A password that does not exist yet: what makes it a good one stands beside it. */
export function NewPasswordField({ value, onChange, fault }: NewPasswordFieldProps) {
  return (
    <Input
      label="New password"
      kind="password"
      autoComplete="new-password"
      value={value}
      onChange={onChange}
      maxLength={MOST_PASSWORD_LENGTH}
      hint={`At least ${LEAST_PASSWORD_LENGTH} characters. A few words that only you would put together are best.`}
      fault={fault}
      isRequired
    />
  )
}

/** What is wrong with a new password before it is sent; the service has the last word. */
export function faultOf(password: string): string | undefined {
  const missing = LEAST_PASSWORD_LENGTH - [...password].length
  if (missing <= 0) return undefined
  return `${missing} more ${missing === 1 ? 'character' : 'characters'}, please.`
}
