/** Why something failed, in one line, with what lies behind it. */
export function describeReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, message, cause } = error as NodeJS.ErrnoException
  const own = message === '' ? (code ?? error.name) : message.split('\n')[0]!
  return cause instanceof Error && cause.message !== message ? `${own}: ${describeReason(cause)}` : own
}
