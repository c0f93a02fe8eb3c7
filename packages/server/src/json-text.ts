// JSON text with stored text spliced in: history payloads go out as the text in which they came, never parsed here.

/**
 * The text of an object whose last members are already JSON text.
 *
 * @param members  written by JSON.stringify; members that are undefined are left out
 * @param texts    name → JSON text, appended as it is
 */
export function objectText(members: object, texts: Readonly<Record<string, string>> = {}): string {
  let text = JSON.stringify(members).slice(0, -1)
  for (const [name, value] of Object.entries(texts))
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:${value}`
  return `${text}}`
}

/** The text of a list whose items are already JSON text. */
export function listText(items: readonly string[]): string {
  return `[${items.join(',')}]`
}

/** Appends members to the text of an object. @param members the inside of an object's text, without braces */
export function spliceMembers(objectJson: string, members: string): string {
  const open = objectJson.slice(0, -1)
  return open === '{' ? `{${members}}` : `${open},${members}}`
}
