type Named = { firstName: string | null; lastName: string | null; email: string | null }

/** How a person is called in lists: the name, or else the e-mail address. */
export function fullName({ firstName, lastName, email }: Named): string | null {
  return [firstName, lastName].filter(Boolean).join(' ') || email
}
