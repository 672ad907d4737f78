// Generates docs/operate/errors.md from the source: every error code with its family, message and hint.
import { readFile } from 'node:fs/promises'
import ts from 'typescript'
import { glob } from './source-files.ts'

const FAMILIES: Record<string, string> = {
  UserError: 'user',
  RetryableError: 'retried',
  DecodeError: 'decoding',
  BugError: 'bug',
  TooMuchError: 'retried',
  HeadwaterError: 'user',
}
/** Every file with an error code contains a match. Only these files are parsed, because a search is far faster. */
const MAY_HAVE_CODES = new RegExp(`\\b(${Object.keys(FAMILIES).join('|')})\\b|\\.error\\(`)
const ABOUT = `# Error codes

This page is for operators who look up an error code. It is generated from the source by \`npm run generate\`; a test keeps it up to date.

- **user**: change the configuration, arguments, files or environment. Never retried.
- **retried**: a temporary obstacle. The program tries again with growing delays and counts it in \`headwater_anomalies_total\`.
- **decoding**: invalid bytes. An action or row is stored raw with this code. A frame or a block is requested from the other nodes; the chain stops when all of them send the same.
- **bug**: an invariant of the program is broken. The process stops. Please report it.

| Code | Family | Message | What to do |
|---|---|---|---|
`

interface CodedError {
  code: string
  family: string
  message: string
  hint: string
}

export async function errorPage(): Promise<string> {
  const found = new Map<string, CodedError>()
  for (const file of await glob([
    'core',
    'finality-store',
    'indexer',
    'api',
    'bin',
    'config',
    'migrations',
    'packs',
    'net',
    'devnet',
    'proofs',
    'cosign',
    'relay',
    'contracts',
  ])) {
    const text = await readFile(file, 'utf8')
    if (!MAY_HAVE_CODES.test(text)) continue
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true), found)
  }
  const rows = [...found.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
  return ABOUT + rows.map((e) => `| \`${e.code}\` | ${e.family} | ${cell(e.message)} | ${cell(e.hint)} |\n`).join('')
}

function visit(node: ts.Node, found: Map<string, CodedError>): void {
  if (ts.isNewExpression(node)) note(FAMILIES[node.expression.getText()], node.arguments, found)
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) {
    note(FAMILIES[baseClass(node) ?? ''], node.arguments, found)
  }
  if (isEndpointError(node)) note('retried', node.arguments, found)
  ts.forEachChild(node, (child) => visit(child, found))
}

/** Whether a node is a call like `endpoint.error('EVM_GAP', ...)`, which makes an error that names the endpoint. */
function isEndpointError(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  const [code] = node.arguments
  return node.expression.name.text === 'error' && !!code && ts.isStringLiteral(code) && /^(EVM|BEACON)_/.test(code.text)
}

function baseClass(node: ts.Node): string | undefined {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    if (ts.isClassDeclaration(at)) return at.heritageClauses?.[0]?.types[0]?.expression.getText()
  }
  return undefined
}

function note(
  family: string | undefined,
  args: ts.NodeArray<ts.Expression> | undefined,
  found: Map<string, CodedError>,
) {
  const [code, message, options] = args ?? []
  if (!family || !code || !ts.isStringLiteral(code) || found.has(code.text)) return
  found.set(code.text, { code: code.text, family, message: textOf(message), hint: hintOf(options) })
}

/** Literal text, also of a constant of the same file, with an ellipsis for each placeholder. */
function textOf(node: ts.Expression | undefined): string {
  if (!node) return ''
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join('')
  if (ts.isBinaryExpression(node)) return textOf(node.left) + textOf(node.right)
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression)
  const constant = ts.isIdentifier(node) ? constantOf(node) : undefined
  return constant ? textOf(constant) : '…'
}

/** Value of a constant at the top of the file. */
function constantOf(name: ts.Identifier): ts.Expression | undefined {
  const declared = name
    .getSourceFile()
    .statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
  return declared.find((declaration) => declaration.name.getText() === name.text)?.initializer
}

function hintOf(options: ts.Expression | undefined): string {
  if (!options || !ts.isObjectLiteralExpression(options)) return ''
  for (const member of options.properties) {
    if (ts.isPropertyAssignment(member) && member.name.getText() === 'hint') return textOf(member.initializer)
  }
  return ''
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;').trim()
}
