let next = Math.floor(Math.random() * 700_000)

/** A number of the embedded carrier's inventory that no other test has; it takes messages unless asked otherwise. */
export function nextNumber({ sms = true } = {}): string {
  next += 1
  const areaCode = 201 + (Math.floor(next / 1000) % 700)
  // Area codes that end in 11 are services.
  if (areaCode % 100 === 11) {
    next += 1000
    return nextNumber({ sms })
  }
  return `+1${areaCode}555${String(next % 1000).padStart(3, '0')}${sms ? 0 : 9}`
}
