import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { classifyAddress, classifyHost } from './address-guard.ts'

const hostnameOf = (host: string) => new URL(`https://${host}/`).hostname

describe('the address guard', () => {
  test('knows this machine in every spelling that an address bar understands', () => {
    const spellings = [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '１２７.0.0.1',
      '127。0。0。1',
      '①②⑦.⓪.⓪.①',
      '127.255.255.254',
      '127.0.0.1.',
      'localhost',
      'LOCALHOST.',
      'localhost..',
      'a.localhost',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:7f00:1]',
      '[::ffff:127.0.0.1]',
    ]
    for (const host of spellings) assert.equal(classifyHost(hostnameOf(host)), 'loopback', host)
  })

  test('refuses what is not the public internet', () => {
    const hosts = [
      '0',
      '0.0.0.0',
      '10.0.0.1',
      '10.255.255.255',
      '100.64.0.1',
      '100.100.100.200',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.192',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.19.255.255',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '239.255.255.255',
      '240.0.0.1',
      '255.255.255.255',
      '[::]',
      '[::7f00:1]',
      '[::127.0.0.1]',
      '[::8.8.8.8]',
      '[::ffff:10.0.0.1]',
      '[::ffff:169.254.169.254]',
      '[::ffff:0:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b::10.0.0.1]',
      '[64:ff9b:1::1]',
      '[2002:7f00:1::]',
      '[2002:808:808::]',
      '[2001::1]',
      '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
      '[2001:10::1]',
      '[2001:20::1]',
      '[2001:2::1]',
      '[2001:db8::1]',
      '[3fff::1]',
      '[5f00::1]',
      '[100::1]',
      '[fc00::1]',
      '[fd00:ec2::254]',
      '[fe80::1]',
      '[febf::1]',
      '[fec0::1]',
      '[ff02::1]',
      '[4000::1]',
      'metadata.google.internal',
      'db.internal',
      'internal',
      'printer.local',
      'router.home.arpa',
      'postgres',
      'my-pod',
      'api.default.svc',
      'api.default.svc.cluster.local',
      '127.0.0.1.nip.io',
      '127-0-0-1.sslip.io',
      'nip.io.',
    ]
    for (const host of hosts) assert.equal(classifyHost(hostnameOf(host)), 'refused', host)
  })

  test('lets the public internet through', () => {
    const hosts = [
      'example.com',
      'hooks.example.com.',
      'xn--bcher-kva.example',
      'notlocal.com',
      'internal.example.com',
      '8.8.8.8',
      '1.1.1.1',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.0.1.1',
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '[2606:4700:4700::1111]',
      '[2a00:1450:400f:80d::200e]',
      '[2001:4860:4860::8888]',
      '[::ffff:8.8.8.8]',
      '[64:ff9b::808:808]',
    ]
    for (const host of hosts) assert.equal(classifyHost(hostnameOf(host)), 'public', host)
  })

  test('judges the bare addresses that a resolver answers with, and takes nothing else', () => {
    const cases: [string, string][] = [
      ['127.0.0.1', 'loopback'],
      ['::1', 'loopback'],
      ['::ffff:127.0.0.1', 'loopback'],
      ['64:ff9b::127.0.0.1', 'refused'],
      ['0064:ff9b:0000:0:0:0:7f00:0001', 'refused'],
      ['fe80::1%eth0', 'refused'],
      ['2606:4700:4700::1111%eth0', 'refused'],
      ['2606:4700:4700:0:0:0:0:1111', 'public'],
      ['93.184.216.34', 'public'],
      ['example.com', 'refused'],
      ['', 'refused'],
      ['0x7f.1', 'refused'],
    ]
    for (const [address, kind] of cases) assert.equal(classifyAddress(address), kind, address)
  })
})
