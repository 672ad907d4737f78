// Links of a registry that anyone may write: which ones become logo addresses.
import t from 'tap'
import { logoAddress } from '../../core/logo-address.ts'

const CID = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKkS1o'

t.test('TOK-24 content ids and public https addresses are accepted', async (t) => {
  const cases: [string, string][] = [
    [`ipfs://${CID}`, `https://ipfs.io/ipfs/${CID}`],
    [`ipfs://ipfs/${CID}/logo.png`, `https://ipfs.io/ipfs/${CID}/logo.png`],
    [`/ipfs/${CID}`, `https://ipfs.io/ipfs/${CID}`],
    [`ipfs/${CID}`, `https://ipfs.io/ipfs/${CID}`],
    [CID, `https://ipfs.io/ipfs/${CID}`],
    ['https://3.cdn.example.org/v1.2.3.4/a.png', 'https://3.cdn.example.org/v1.2.3.4/a.png'],
    [`ar://${'a'.repeat(43)}`, `https://arweave.net/${'a'.repeat(43)}`],
    [' https://example.org/a.png?x=1 ', 'https://example.org/a.png?x=1'],
    ['HTTPS://Example.ORG/A.png', 'https://example.org/A.png'],
    ['https://example.org\\@evil.test/x', 'https://example.org/@evil.test/x'],
  ]
  for (const [link, address] of cases) t.equal(logoAddress(link), address, link)
})

t.test('TOK-24 everything else is refused', async (t) => {
  const links = ['', ' ', 'logo.png', '//example.org/x', 'http://example.org/x.png', 'javascript:alert(1)']
  links.push('data:text/html,<script>', 'data:image/png;base64,AAAA', 'file:///etc/passwd', 'ftp://example.org/x')
  links.push(
    'https://localhost/x',
    'https://x.localhost/',
    'https://127.0.0.1/x',
    'https://2130706433/',
    'https://0x7f.1/',
  )
  links.push('https://10.0.0.1/', 'https://169.254.169.254/latest', 'https://[::1]/', 'https://printer.local/x')
  links.push(
    'https://user:secret@example.org/',
    'https://example.org:8443/',
    'https://intranet/',
    'https://db.internal/',
  )
  links.push(`ipfs://${CID}/../../x?y`, 'ipfs://../../etc', 'ar://short', `https://example.org/${'a'.repeat(3000)}`)
  links.push('java\nscript:alert(1)', 'https://127.0.0.1.nip.io/x', 'https://app-10-0-0-1.sslip.io/x')
  links.push(
    `ipfs://${CID}/${'a'.repeat(3000)}`,
    'https://localhost./x',
    'https://127.1/x',
    'https://[::ffff:10.0.0.1]/',
  )
  for (const link of links) t.equal(logoAddress(link), null, link.slice(0, 60))
})
