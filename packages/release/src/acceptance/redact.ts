// Secrets do not outlive the process that printed them: what is kept of an output is redacted first.

/** What stands where a secret stood. */
export const redacted = '[redacted]'

const secretName = /(TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|PRIVATE|API_?KEY|ACCESS_?KEY|AUTH|_PAT)/i

/** Shorter values are words that occur everywhere; no secret worth the name is so short. */
const secretLengthMin = 6

/** Each keeps what its first group has, so that a reader sees what was there. */
const forms: readonly RegExp[] = [
  /(-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----)[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$(?![\s\S]))/g,
  /(_(?:authToken|auth|password)\s*=\s*)"?[^\s"]+"?/gi,
  /(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{6,}/gi,
  /()\bnpm_[A-Za-z0-9]{10,}/g,
  /()\bgh[a-z]_[A-Za-z0-9]{10,}/g,
  /()\bgithub_pat_[A-Za-z0-9_]{10,}/g,
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"']*:)[^\s/@"']+(?=@)/gi,
]

/**
 * A text without what looks like a secret: tokens of npm and GitHub, bearer and basic credentials, `_authToken=…`, private
 * keys, passwords in URLs, and the values of environment variables whose name says that they are secret.
 *
 * @param environment  whose values must not appear; of the process that redacts, and of those whose output it is
 */
export function redact(text: string, environment: Readonly<Record<string, string | undefined>>): string {
  const values = Object.entries(environment)
    .flatMap(([name, value]) =>
      value !== undefined && value.length >= secretLengthMin && secretName.test(name) ? [value] : [],
    )
    .toSorted((one, other) => other.length - one.length)
  const withoutValues = values.reduce((rest, value) => rest.replaceAll(value, redacted), text)
  return forms.reduce((rest, form) => rest.replace(form, (_, kept: string) => `${kept}${redacted}`), withoutValues)
}
