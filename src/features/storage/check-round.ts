// A round reads every content of a tenant once, in the order of their hashes. Hashes are spread evenly, so a thirtieth of
// them is about a thirtieth of the contents. How far a round has to be follows from its first day, how far it is stands in
// a row: a night on which nobody worked is made good by the next one, and nothing is passed over. A content that comes in
// behind the place was hashed as it came, and is read within the next round, so none goes unread for longer than a round.
const ROUND_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000
const PLACES = 2 ** 32

export const BEFORE_ALL = Buffer.alloc(0)
const AFTER_ALL = Buffer.alloc(32, 0xff)

export type Round = { beganAt: Date; position: Buffer }

/** The midnight that a day begins with, in UTC. */
export function startOfDay(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS)
}

/** The next round may be planned for tomorrow. One that is further away was planned by a clock that was wrong. */
export function mayBegin({ beganAt }: Round, now: Date): boolean {
  return beganAt.getTime() - startOfDay(now).getTime() <= DAY_MS
}

/** Up to which hash a round has to be read today. */
export function dueTo(beganAt: Date, now: Date): Buffer {
  const days = Math.floor((now.getTime() - beganAt.getTime()) / DAY_MS) + 1
  if (days <= 0) return BEFORE_ALL
  if (days >= ROUND_DAYS) return AFTER_ALL
  const place = Buffer.alloc(4)
  place.writeUInt32BE(Math.floor((days / ROUND_DAYS) * PLACES))
  return place
}

/** Where a round is once everything up to a place has been read. After the end comes the next one: on its day, or today. */
export function roundAt({ beganAt }: Round, position: Buffer, now: Date): Round {
  if (!position.equals(AFTER_ALL)) return { beganAt, position }
  const onItsDay = beganAt.getTime() + ROUND_DAYS * DAY_MS
  return { beganAt: new Date(Math.max(onItsDay, startOfDay(now).getTime())), position: BEFORE_ALL }
}
