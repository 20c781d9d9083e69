/** The dialogs and drawers that keep the focus within, the one on top last. */
export const openDialogs = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]'),
]
