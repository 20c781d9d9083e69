import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { openDialogs } from './dialogs.ts'

/** How many screens and dialogs have changes that are not saved. */
let unsaved = 0

/** Asks before changes that are not saved are left, if there are any; whether they may be. */
export const mayLeave = (isUnsaved = unsaved > 0): boolean =>
  !isUnsaved || window.confirm('Leave without saving your changes?')

function useCounted(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    unsaved += 1
    return () => {
      unsaved -= 1
    }
  }, [isUnsaved])
}

/**
 * Asks before a page is left that has unsaved changes: by a link, a tab, the browser's buttons or its window. Where the
 * page leads on by itself after a save or a deletion, it says `ignoreBlocker`.
 */
export function useUnsaved(isUnsaved: boolean): void {
  useCounted(isUnsaved)
  useBlocker({ shouldBlockFn: () => !mayLeave(true), disabled: !isUnsaved })
}

/**
 * Asks before the browser's window is closed or loaded anew, where what was typed or is under way would be lost by that
 * alone.
 */
export function useUnsent(isUnsent: boolean): void {
  useBlocker({ shouldBlockFn: () => false, disabled: !isUnsent })
}

/** Whether a dialog stands over another one: a key that closes it is heard by both. */
const isCovered = () => openDialogs().length > 1

/** What closes a drawer or a dialog that nothing covers, after a question where something was typed in it. */
export function useAskedClose(isUnsaved: boolean, onClose: () => void): () => void {
  useUnsaved(isUnsaved)
  return () => {
    if (!isCovered() && mayLeave(isUnsaved)) onClose()
  }
}
