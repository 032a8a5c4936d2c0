// Signatories of the harness. Each has a word of its own in the name and in the address: whoever was erased is looked for
// by it, and it is found even where texts were taken apart into words.

/** One word, which is part of no other: letters stand between the numbers, and one at the end. */
export const wordOf = (mark: string, index: number) => `p${index}of${mark.replaceAll('-', 'n')}q`

export const emailOf = (mark: string, index: number) => `${wordOf(mark, index)}@example.com`

/** Whether an address is that of somebody in the request with this mark. */
export const isOf = (mark: string, email: string) => /^p\d+of/.test(email) && email.endsWith(emailOf(mark, 0).slice(2))
