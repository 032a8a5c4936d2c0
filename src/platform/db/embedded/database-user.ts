// PostgreSQL refuses to run as root. When we are root it runs as somebody else, who must exist in the user database
// (initdb looks its own user up) and must reach every folder on the way to the files.
import type { Stats } from 'node:fs'
import { lchown, readFile, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

export type DatabaseUser = { name: string; uid: number; gid: number }

type Choice = {
  /** Undefined: the server runs as we do. */
  user: DatabaseUser | undefined
  warnings: string[]
}

const NOBODY_WARNING =
  'PostgreSQL runs as "nobody", which other services may share, because there is no user "postgres" here. ' +
  'Better: create that user, or start Countersign as an ordinary user.'

/** Picks who runs the server: ourselves, or as root the owner of `path`, else postgres, else nobody. */
export async function chooseDatabaseUser(path: string): Promise<Choice> {
  if (!isRoot()) {
    requireKnownSelf()
    return { user: undefined, warnings: [] }
  }
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8'))
  const owner = (await stat(path)).uid
  const user =
    users.find(({ uid }) => uid === owner && uid !== 0) ??
    users.find(({ name }) => name === 'postgres') ??
    users.find(({ name }) => name === 'nobody')
  if (user === undefined) {
    throw new EmbeddedPostgresError(
      'no-user',
      'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody". ' +
        'Start Countersign as an ordinary user, or set DATABASE_URL.',
    )
  }
  return { user, warnings: user.name === 'nobody' ? [NOBODY_WARNING] : [] }
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** The users of an /etc/passwd file, in its order. */
export function parsePasswd(text: string): DatabaseUser[] {
  return text.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = ''] = line.split(':')
    return name !== '' && /^\d+$/.test(uid) && /^\d+$/.test(gid) ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}

/** Whether the user may enter `path` and every folder above it. Access lists are not read: they count as a no. */
export async function canReach(user: DatabaseUser, path: string): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    if (!maySearch(user, await stat(at))) return false
    if (at === dirname(at)) return true
  }
}

function maySearch(user: DatabaseUser, { uid, gid, mode }: Stats): boolean {
  if (uid === user.uid) return (mode & 0o100) !== 0
  if (gid === user.gid) return (mode & 0o010) !== 0
  return (mode & 0o001) !== 0
}

/** Hands a folder and everything in it to the user. Symbolic links are changed themselves, never followed. */
export async function giveTree(path: string, user: DatabaseUser): Promise<void> {
  await lchown(path, user.uid, user.gid)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) await giveTree(child, user)
    else await lchown(child, user.uid, user.gid)
  }
}

/** What spawn needs to start a program as the user. */
export function runAs(user: DatabaseUser | undefined): { uid?: number; gid?: number } {
  return user === undefined ? {} : { uid: user.uid, gid: user.gid }
}

// initdb gives up on a user id without a name, as with `docker run --user 12345`.
function requireKnownSelf(): void {
  try {
    userInfo()
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'no-user',
      `The user id ${process.getuid?.()} has no line in /etc/passwd, which PostgreSQL needs. Add one, or set DATABASE_URL.`,
      { cause },
    )
  }
}
