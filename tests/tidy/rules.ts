import { documentsNameRealPaths } from './rules/documents.ts'
import { namedExportsOnly, publicNamesAreDocumented } from './rules/faces.ts'
import { noLargeFile, noRegistry, noRoomWithoutNoun, oneTypeCheck } from './rules/folders.ts'
import { invariantsAreTested, mapNamesRealInvariants } from './rules/invariants.ts'
import { noModuleState, pureRooms } from './rules/purity.ts'
import { commandsHaveFiles, oneAuthorPerEvent, reasonsAreGiven } from './rules/spec.ts'
import { noBareTodo, noClaimedType, noSilencedCompiler } from './rules/types.ts'
import { statusSecret, wireWordsStayInTheirRooms } from './rules/wire.ts'

/** The rules of the house that a reader relies on, by the names under which they are tested. */
export const rules = {
  noRoomWithoutNoun,
  noLargeFile,
  noRegistry,
  oneTypeCheck,
  noClaimedType,
  noSilencedCompiler,
  noBareTodo,
  pureRooms,
  noModuleState,
  oneAuthorPerEvent,
  commandsHaveFiles,
  reasonsAreGiven,
  invariantsAreTested,
  mapNamesRealInvariants,
  namedExportsOnly,
  publicNamesAreDocumented,
  documentsNameRealPaths,
  wireWordsStayInTheirRooms,
  statusSecret,
}
