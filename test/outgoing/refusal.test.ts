import { describe, expect, test } from 'vitest'
import { allowedPlaces, isPublicAddress } from '../../src/outgoing/places.ts'
import { literalRefusal } from '../../src/outgoing/refusal.ts'

const none = allowedPlaces([])

describe('addresses', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each([
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local and metadata', '169.254.169.254'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['metadata within it', '100.100.100.200'],
    ['metadata with a public number', '168.63.129.16'],
    ['protocol assignments', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['benchmarking', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 unspecified', '::'],
    ['IPv6 loopback', '::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped in hex', '::ffff:a9fe:a9fe'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-translated', '::ffff:0:10.0.0.1'],
    ['NAT64', '64:ff9b::10.0.0.1'],
    ['local NAT64', '64:ff9b:1::1'],
    ['6to4', '2002:7f00:1::'],
    ['teredo', '2001::1'],
    ['link-local', 'fe80::1'],
    ['site-local', 'fec0::1'],
    ['unique local', 'fc00::1'],
    ['metadata within it', 'fd00:ec2::254'],
    ['documentation', '2001:db8::1'],
    ['multicast', 'ff02::1'],
    ['not given out', '4000::1'],
    ['no address', 'example.com'],
  ])('%s: %s is not', (_range, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('URLs as they are saved', () => {
  test.each([
    'https://example.com',
    'https://example.com:8443/mcp?x=1',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    // What a name leads to shows only when it is asked for.
    'https://localhost/',
    'https://metadata.internal./',
  ])('%s is sound', (url) => {
    expect(literalRefusal(url, { allowed: none })).toBeUndefined()
  })

  test.each([
    ['http://example.com/', 'https_only'],
    ['ftp://example.com/', 'https_only'],
    ['file:///etc/passwd', 'https_only'],
    ['javascript:alert(1)', 'https_only'],
    ['data:text/plain,x', 'https_only'],
    ['example.com', 'invalid_url'],
    ['', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://[fe80::1%25eth0]/', 'invalid_url'],
    ['https://1.2.3.4.5/', 'invalid_url'],
    ['https://user:pass@example.com/', 'credentials'],
    ['https://example.com@127.0.0.1/', 'credentials'],
    ['https://127.0.0.1/', 'private_address'],
    ['https://127.0.0.1./', 'private_address'],
    ['https://2130706433/', 'private_address'],
    ['https://0x7f000001/', 'private_address'],
    ['https://0x7f.0.0.1/', 'private_address'],
    ['https://017700000001/', 'private_address'],
    ['https://0177.0.0.01/', 'private_address'],
    ['https://127.1/', 'private_address'],
    ['https://0/', 'private_address'],
    ['https://①②⑦.0.0.1/', 'private_address'],
    ['https://169.254.169.254/latest/meta-data', 'private_address'],
    ['https://[::1]/', 'private_address'],
    ['https://[::]/', 'private_address'],
    ['https://[0:0:0:0:0:0:0:1]/', 'private_address'],
    ['https://[::ffff:127.0.0.1]/', 'private_address'],
    ['https://[::ffff:7f00:1]/', 'private_address'],
    ['https://[64:ff9b::7f00:1]/', 'private_address'],
    ['https:\\\\127.0.0.1', 'private_address'],
  ])('%s is refused: %s', (url, reason) => {
    expect(literalRefusal(url, { allowed: none })).toBe(reason)
  })

  test('http is for those who take it, and nothing else is', () => {
    const policy = { allowed: none, httpAllowed: true }
    expect(literalRefusal('http://example.com/', policy)).toBeUndefined()
    expect(literalRefusal('http://127.0.0.1/', policy)).toBe('private_address')
    expect(literalRefusal('ws://example.com/', policy)).toBe('not_web')
  })
})

describe('what the operator allows', () => {
  const allowed = allowedPlaces(['tools.internal', '10.1.0.0/16', '127.0.0.1', 'fd00::/8', '::1'])
  test.each([
    ['http://tools.internal:8080/', undefined],
    ['http://TOOLS.internal./', undefined],
    ['http://10.1.2.3/', undefined],
    ['http://[::ffff:10.1.2.3]/', undefined],
    ['http://127.1/', undefined],
    ['https://[fd00::1]/', undefined],
    ['https://[::1]/', undefined],
    ['https://10.2.0.1/', 'private_address'],
    ['https://127.0.0.2/', 'private_address'],
    ['http://sub.tools.internal/', 'https_only'],
    ['http://tools.internal.evil.test/', 'https_only'],
    ['http://user@tools.internal/', 'credentials'],
  ])('%s: %s', (url, reason) => {
    expect(literalRefusal(url, { allowed })).toBe(reason)
  })
})
