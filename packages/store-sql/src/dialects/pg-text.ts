// Text that PostgreSQL can keep. Its `text` has no U+0000; everything else that we are given it keeps as it is.
//
// U+0000, and the two characters that stand for it, are written as four characters each. The three codes keep what a
// database does with text: they sort as what they stand for, and one is found inside another text only where the
// character itself is (no code begins inside a code, nor across two: a comma-free code).

const codes: Readonly<Record<string, string>> = {
  '\u0000': '\u0001\u0001\u0001\u0002',
  '\u0001': '\u0001\u0001\u0002\u0002',
  '\u0002': '\u0001\u0002\u0002\u0002',
}

const characters: ReadonlyMap<string, string> = new Map(
  Object.entries(codes).map(([character, code]) => [code, character]),
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const needsCode = /[\u0000-\u0002]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const eachCharacter = /[\u0000-\u0002]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const eachCode = /[\u0001\u0002]{4}/g

/** A text as it is stored. */
export function storedText(text: string): string {
  return needsCode.test(text) ? text.replaceAll(eachCharacter, (character) => codes[character] ?? character) : text
}

/** A stored text as it was given. */
export function givenText(stored: string): string {
  return stored.includes('\u0001') ? stored.replaceAll(eachCode, (code) => characters.get(code) ?? code) : stored
}
