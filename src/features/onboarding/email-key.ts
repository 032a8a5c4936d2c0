/** The form in which e-mail addresses are compared: spellings that look alike or differ in case are one address. */
export function emailKeyOf(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}
