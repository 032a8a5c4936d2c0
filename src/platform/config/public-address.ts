import type { Config } from './config.ts'

/**
 * Where people find the service, without a slash at the end: as configured, never as a caller's headers claim. Without
 * a configured address only this machine is served.
 */
export function publicAddress({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
