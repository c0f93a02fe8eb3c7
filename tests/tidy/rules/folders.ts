import type { Rule } from '../repository.ts'

const nowhere = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc'])
const nowhereInSource = new Set(['lib', 'types', 'interfaces'])
const textBytesMax = 1_000_000
const binaryBytesMax = 100_000

/** A thing goes to the room of its noun. */
export const noRoomWithoutNoun: Rule = ({ paths }) =>
  paths.flatMap((path) => {
    const folders = path.split('/').slice(0, -1)
    const sourceAt = folders.indexOf('src')
    const bad = folders.find(
      (folder, at) => nowhere.has(folder) || (sourceAt !== -1 && at > sourceAt && nowhereInSource.has(folder)),
    )
    return bad === undefined
      ? []
      : [{ path, says: `house §2: the folder ${bad}/ names no thing; move the file to the room of its noun` }]
  })

/** A repository is read, not downloaded: big files and big binaries belong elsewhere. */
export const noLargeFile: Rule = ({ paths, text, sizeBytes }) =>
  paths.flatMap((path) => {
    const size = sizeBytes(path)
    if (size <= binaryBytesMax || path === 'pnpm-lock.yaml') return []
    const most = text(path).includes('\0') ? binaryBytesMax : textBytesMax
    return size <= most ? [] : [{ path, says: `house §7: ${size} bytes, at most ${most} may be committed` }]
  })

/** Anybody installs from the registry they chose: no committed file names one. */
export const noRegistry: Rule = ({ paths, text }) => {
  const namesHost = /\bregistry\.[a-z0-9-]+\.[a-z]+|\bregistry\s*[:=]\s*["']?https?:/i
  const locked = /resolution:.*(tarball|https?:)/
  return paths
    .filter(
      (path) =>
        /(^|\/)(pnpm-lock\.yaml|\.npmrc|package\.json|pnpm-workspace\.yaml|\.yarnrc\.yml|bunfig\.toml)$/.test(path) ||
        path.startsWith('.changeset/'),
    )
    .flatMap((path) =>
      text(path)
        .split('\n')
        .flatMap((line, at) =>
          namesHost.test(line) || locked.test(line)
            ? [{ path, line: at + 1, says: 'house §7: names a registry host; leave the choice to whoever installs' }]
            : [],
        ),
    )
}

/** The whole workspace is type-checked as one program, which is honest only while no package sets options of its own. */
export const oneTypeCheck: Rule = ({ paths, text }) =>
  paths
    .filter((path) => /^(packages|apps|examples)\/[^/]+\/tsconfig\.json$|^(tests|bench)\/tsconfig\.json$/.test(path))
    .flatMap((path) => {
      const config: unknown = JSON.parse(text(path))
      const own = typeof config === 'object' && config !== null && 'compilerOptions' in config
      return own
        ? [{ path, says: 'house §2: compiler options live in tsconfig.base.json alone; a package sets none' }]
        : []
    })
