import { expect, test } from 'vitest'
import { isVersion, released } from '../../scripts/release/changelog.ts'

test('what is unreleased becomes a version of a day', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n'
  expect(released(changelog, '0.2.0', '2026-02-01')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-01)\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n',
  )
})

test.each([
  ['# Changelog\n', 'no one section'],
  ['## Unreleased\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n', 'Nothing is unreleased.'],
  ['## Unreleased\n\n- New.\n\n## 0.2.0 (2026-01-01)\n', '0.2.0 already'],
])('%j is refused', (changelog, said) => {
  expect(() => released(changelog, '0.2.0', '2026-02-01')).toThrow(said)
})

test.each([
  ['1.2.3', true],
  ['1.2.3-rc.1', true],
  ['v1.2.3', false],
  ['1.2', false],
  ['', false],
])('%j as a version: %j', (text, is) => {
  expect(isVersion(text)).toBe(is)
})
