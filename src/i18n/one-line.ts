/**
 * Somebody else's words within ours: they must not begin a line of ours, nor turn the direction of what follows. So it is
 * in messages, in the evidence and in certificates, where a name with a line break could otherwise seem to testify.
 */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
}
