/** Ends a body before its end. Bun would print an error, and where it was made, which it is not given. */
export const breakOff = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void =>
  controller.error(null)
