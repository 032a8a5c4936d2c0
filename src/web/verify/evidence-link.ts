// The link of an evidence page ends in the ids of its tenant and its request, in one short text.

const PAGE = '/verify'
const CODE = /^[A-Za-z0-9_-]{43}$/

export type EvidenceLink = { code: string; requestId: string }

/** The request that the page's address names: undefined for none, 'wrong' for what is no such link. */
export function readEvidenceLink(pathname: string): EvidenceLink | 'wrong' | undefined {
  const code = pathname.slice(PAGE.length + 1).replace(/\/$/, '')
  if (code === '') return undefined
  if (!CODE.test(code)) return 'wrong'
  const bytes = atob(`${code.replaceAll('-', '+').replaceAll('_', '/')}=`)
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  return { code, requestId: hex.slice(32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') }
}
