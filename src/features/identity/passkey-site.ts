// Passkeys belong to a host name (WebAuthn 5.1.2, the RP ID): a device answers nobody else, which is what makes them
// proof against imitations of our pages.

export type Site = { id: string; origins: string[] }

/** Where passkeys count: the public address, or else the one that the browser called. Addresses of digits have none. */
export function findSite(
  { publicUrl }: { publicUrl: string | undefined },
  { host }: { host?: string | undefined },
): Site | undefined {
  if (publicUrl === undefined && host === undefined) return undefined
  const origins = publicUrl === undefined ? [`http://${host}`, `https://${host}`] : [new URL(publicUrl).origin]
  const [first] = origins
  if (!URL.canParse(first!)) return undefined
  const id = new URL(first!).hostname
  // URLs write an IP address of version 6 in brackets, and one of version 4 in no other way than this.
  return /^\[|^[\d.]+$/.test(id) ? undefined : { id, origins }
}
