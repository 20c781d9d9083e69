import { validationError } from '../../api/errors/api-error.ts'
import { refusedParts } from '../../voice-platform/schema/rules.ts'

/**
 * Throws 422 on the path of each tool in what a caller sends that the platform would refuse, and of each server and
 * header that nothing can be sent with (contract: tools 10, tools 11).
 */
export function refuseParts(...sent: Parameters<typeof refusedParts>): void {
  const refused = refusedParts(...sent)
  if (refused) throw validationError(refused)
}
