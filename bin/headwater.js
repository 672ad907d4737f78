#!/usr/bin/env -S node --max-semi-space-size=64 --v8-pool-size=1
// Entry of the command line. Written so that any Node since 12 can read it, to say which one is needed.
import { readFileSync } from 'node:fs'

const { version, engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = engines.node.replace('>=', '')

function isOlder(one, other) {
  const [a, b] = [one, other].map((text) => text.split('.').map(Number))
  return a[0] !== b[0] ? a[0] < b[0] : a[1] < b[1]
}

if (isOlder(process.versions.node, needed)) {
  console.error(`headwater needs Node ${needed} or newer, this is ${process.versions.node} (${process.execPath})`)
  process.exitCode = 1
} else if (process.argv[2] === '--version' || process.argv[2] === '-v') {
  console.log(`headwater ${version}`)
} else {
  import('./start.js')
}
