/** A JSON value as it arrives on the wire and is stored as text; what stands inside objects and lists is not checked. */
export type Json = null | boolean | number | string | readonly unknown[] | JsonObject

/** A JSON object; a member that is undefined is absent on the wire. */
export type JsonObject = { readonly [key: string]: unknown }
