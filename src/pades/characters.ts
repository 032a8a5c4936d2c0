// The characters that carry PDF's syntax (ISO 32000-2, 7.2.3).

export const REGULAR = 0
export const WHITESPACE = 1
export const DELIMITER = 2

/** The class of each byte. */
export const CHARACTER_CLASS = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) CHARACTER_CLASS[byte] = WHITESPACE
for (const char of '()<>[]{}/%') CHARACTER_CLASS[char.charCodeAt(0)] = DELIMITER

export const isWhitespace = (byte: number | undefined): boolean =>
  byte !== undefined && CHARACTER_CLASS[byte] === WHITESPACE

export const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

export const CR = 0x0d
export const LF = 0x0a
export const SLASH = 0x2f
export const PERCENT = 0x25
export const OPEN_ANGLE = 0x3c
export const CLOSE_ANGLE = 0x3e
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d
export const OPEN_PAREN = 0x28
export const CLOSE_PAREN = 0x29
export const BACKSLASH = 0x5c
export const LETTER_R = 0x52
