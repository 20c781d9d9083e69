import { useBlocker } from '@tanstack/react-router'

/**
 * Asks before a page is left that has unsaved changes: by a link, a tab, the browser's buttons or its window. Where the
 * page leads on by itself after a save or a deletion, it says `ignoreBlocker`.
 */
export function useUnsaved(isUnsaved: boolean): void {
  useBlocker({ shouldBlockFn: () => !window.confirm('Leave without saving your changes?'), disabled: !isUnsaved })
}
