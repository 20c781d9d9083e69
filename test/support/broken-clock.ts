/** Preloaded into a server: from SIGUSR2 on, no moment can be written, which no code of its own expects. */
process.on('SIGUSR2', () => {
  Date.prototype.toISOString = () => {
    throw new RangeError('No moment can be written')
  }
})
