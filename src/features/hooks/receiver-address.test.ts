import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#platform/errors.ts'
import { requireReceiver, type AddressRules } from './receiver-address.ts'

const STRICT: AddressRules = { allowInsecure: false, publicUrl: 'https://sign.example.com', ownPort: 8080 }
const DEVELOPMENT: AddressRules = { ...STRICT, allowInsecure: true }

function refuses(uri: string, rules: AddressRules): void {
  assert.throws(
    () => requireReceiver(uri, rules),
    (error) => error instanceof AppError && error.code === 1800 && error.message.startsWith('uri: '),
    uri,
  )
}

const LOOPBACK_HOSTS = [
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '１２７.0.0.1',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  'localhost',
  'localhost.',
  'a.localhost',
  '[::1]',
  '[::ffff:7f00:1]',
]

describe('receivers of deliveries', () => {
  test('are addresses of the public internet by https', () => {
    const uris = [
      'https://hooks.example.com',
      'HTTPS://Hooks.Example.com/path?query=1&at=@home',
      'https://hooks.example.com:443/a',
      'https://hooks.example.com:8443/a',
      'https://8.8.8.8/a',
      'https://[2606:4700:4700::1111]/a',
      'https://bücher.example/ä',
    ]
    for (const uri of uris) requireReceiver(uri, STRICT)
  })

  test('are refused where the host is private, local or reserved', () => {
    const hosts = [
      ...LOOPBACK_HOSTS,
      '0',
      '0.0.0.0',
      '[::]',
      '[::7f00:1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[2001:0:7f00:1::]',
      '[fd00:ec2::254]',
      '[fe80::1]',
      '[fec0::1]',
      '[ff02::1]',
      '[100::1]',
      '[2001:db8::1]',
      '[3fff::1]',
      '[5f00::1]',
      '10.1.2.3',
      '100.64.0.1',
      '100.100.100.200',
      '169.254.169.254',
      '172.16.0.1',
      '192.0.0.192',
      '192.168.0.1',
      '192.88.99.1',
      '198.18.0.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      'metadata.google.internal',
      'db.internal',
      'printer.local',
      '127.0.0.1.nip.io',
      'postgres',
    ]
    for (const host of hosts) refuses(`https://${host}/hook`, STRICT)
  })

  test('are refused where the address is not a plain https one', () => {
    const uris = [
      'http://hooks.example.com/',
      'http:127.0.0.1',
      'https:127.0.0.1',
      'https://user@127.0.0.1/',
      'https://example.com@127.0.0.1/',
      'https://127.0.0.1#@example.com',
      'https://user:password@hooks.example.com/',
      'https://@hooks.example.com/',
      'https://hooks.example.com/#',
      'https://hooks.example.com/#part',
      'https://hooks.example.com\\@127.0.0.1/',
      'https://hooks.example.com/a\r\nHost: other',
      'https://hooks.example.com/a b',
      ' https://hooks.example.com/',
      'https://hooks.example.com:0/',
      'https://hooks.example.com:22/',
      'https://hooks.example.com:25/',
      'https://hooks.example.com:80/',
      'https://hooks.example.com:5432/',
      'https://hooks.example.com:6379/',
      'https://hooks.example.com:9200/',
      'https://hooks.example.com:11211/',
      'https://hooks.example.com:65536/',
      'unix:/var/run/docker.sock',
      'file:///etc/passwd',
      'gopher://hooks.example.com/',
      'ftp://hooks.example.com/',
      'data:text/plain,hello',
      'dict://hooks.example.com/',
      'wss://hooks.example.com/',
      'hooks.example.com',
      '//hooks.example.com',
      'https://',
      `https://${'a'.repeat(8000)}/`,
    ]
    for (const uri of uris) refuses(uri, STRICT)
  })

  test('are never the service itself', () => {
    const own = ['https://sign.example.com/', 'https://SIGN.example.com.:8443/hooks/v1', 'https://sign。example。com/']
    for (const uri of own) refuses(uri, STRICT)
    refuses('http://127.0.0.1:8080/', DEVELOPMENT)
    refuses('http://localhost:8080/', DEVELOPMENT)
  })

  test('may be on this machine in development, and nowhere else that is not public', () => {
    for (const host of LOOPBACK_HOSTS) {
      requireReceiver(`http://${host}:3000/hook`, DEVELOPMENT)
      requireReceiver(`https://${host}/hook`, DEVELOPMENT)
    }
    for (const uri of [
      'http://hooks.example.com/',
      'http://10.0.0.1/',
      'https://10.0.0.1/',
      'https://169.254.169.254/',
      'https://[64:ff9b::7f00:1]/',
      'http://user@localhost/',
      'ftp://localhost/',
    ]) {
      refuses(uri, DEVELOPMENT)
    }
  })
})
