import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ICONS } from '../icons.ts'
import { PasskeyError } from '../passkeys.ts'
import { ConnectionError, CountersignError } from '../service.ts'

/** What happened, what to do, and the number to quote. */
export function ErrorNotice({ error, onRetry }: { error: Error; onRetry?: () => unknown }) {
  const { what, next, requestId } = describe(error)
  return (
    <div className="error-notice" role="alert">
      <Notice kind="bad">{what}</Notice>
      {next && <p className="small">{next}</p>}
      {requestId && (
        <p className="quiet small">
          Number of this call: <code>{requestId}</code>
        </p>
      )}
      {onRetry && (
        <Button icon={ICONS.again} onPress={() => void onRetry()}>
          Try again
        </Button>
      )}
    </div>
  )
}

type Described = { what: string; next?: string; requestId?: string | undefined }

function describe(error: Error): Described {
  if (error instanceof ConnectionError)
    return { what: 'The service does not answer.', next: 'Check your connection, then try again.' }
  if (error instanceof PasskeyError) return { what: error.message }
  if (!(error instanceof CountersignError))
    return {
      what: 'This page could not be shown.',
      next: 'Load it again. If that does not help, tell your administrator.',
    }
  const { status, message, requestId } = error
  if (status === 403)
    return { what: message, next: 'Ask an administrator of your organisation if you need this.', requestId }
  if (status === 429) return { what: message, next: 'Wait a moment, then try again.', requestId }
  if (status >= 500)
    return { what: message, next: 'It is not your fault. If it happens again, quote the number below.', requestId }
  return { what: message, requestId }
}
