/**
 * A text of a stranger's archive as it may be printed: characters that steer a terminal, or that nobody sees, stand as `\u{1b}`;
 * NULs at its end are left out.
 */
export const shown = (text: string): string =>
  text
    .replace(/\0+$/, '')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
