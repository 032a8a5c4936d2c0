import { AppError, errorKind } from '#platform/errors.ts'

const limitReached = errorKind(
  {
    code: 1105,
    classification: 'InvalidArgument',
    meaning: 'The organisation has asked as many people today as it may; Retry-After says when the day ends.',
  },
  (perDay: number, endsAt: Date) =>
    `This organisation may send ${perDay} invitations and reminders a day, and this would be more. ` +
    `The next can go out from ${endsAt.toISOString()} on; what is open already goes on.`,
)

export function invitationLimitReached({ perDay, endsAt, now }: { perDay: number; endsAt: Date; now: Date }): AppError {
  const { classification, code, message } = limitReached(perDay, endsAt)
  const retryAfterS = Math.ceil((endsAt.getTime() - now.getTime()) / 1000)
  return new AppError(classification, code, message, { retryAfterS })
}
