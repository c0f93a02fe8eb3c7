import { refuseUnless } from '../guard.ts'
import type { Expected } from './reading.ts'
import type { Registry } from './registry.ts'

/**
 * Checks what the dist-tags of a package name after the set was moved to its tag.
 *
 * @param tags each must name the version: the tag of the channel, and the one where it waited
 * @throws Refused readback_tag_mismatch, latest_tag_unintended; and what asking may throw
 * @source P-65, P-73
 */
export async function checkTags(
  registry: Registry,
  { name, version }: Expected,
  tags: readonly string[],
): Promise<void> {
  const named = (await registry.packument(name))?.tags ?? new Map<string, string>()
  for (const tag of tags) {
    const actual = named.get(tag) ?? null
    refuseUnless(actual === version, 'readback_tag_mismatch', { package: name, tag, expected: version, actual })
  }
  refuseUnless(tags.includes('latest') || named.get('latest') !== version, 'latest_tag_unintended', {
    package: name,
    actual: version,
    expected: `any other; ${tags.join(' and ')} were asked for`,
  })
}
