// Checks the CPU sponsor: its key, its database login, and that the key can only pay for CPU on the chain.
import type { CosignConfig } from '../../config/cosign-schema.ts'
import type { Config } from '../../config/program-schema.ts'
import type { ChainConfig } from '../../config/schema.ts'
import { isCosigningOn } from '../../cosign/check-schema.ts'
import { readKeyFile } from '../../cosign/key-file.ts'
import type { Permission } from '../../cosign/node/account.ts'
import { sameKey } from '../../cosign/public-key.ts'
import { NOOP } from '../../cosign/rules.ts'
import { chainIdOf, nodeChecks } from '../../cosign/start.ts'
import { type Finding, fail, failure, ok, warn } from './finding.ts'

/** No findings if neither key nor node is configured. */
export async function checkCosign({
  chains,
  cosign,
  database,
}: Pick<Config, 'chains' | 'cosign' | 'database'>): Promise<Finding[]> {
  if (cosign.keyFile === undefined && cosign.node === undefined) return []
  const found: Finding[] = []
  let publicKey: string | null = null
  if (cosign.keyFile === undefined)
    found.push(warn('cosigner key', 'is missing: nothing is signed', 'set cosign.keyFile'))
  else
    try {
      publicKey = String(readKeyFile(cosign.keyFile).toPublic())
      found.push(ok('cosigner key', `${publicKey}, readable by its owner alone`))
    } catch (error) {
      found.push(failure('cosigner key', error, 'correct cosign.keyFile'))
    }
  if (database !== undefined) found.push(await checkLogin(database, cosign.chain))
  const chain = chains.find((one) => one.chain === cosign.chain)
  if (chain === undefined)
    return [
      ...found,
      fail('cosigner', `${cosign.chain} is not one of the chains`, 'correct cosign.chain or HEADWATER_CHAINS'),
    ]
  return [...found, ...(await checkPermission(cosign, chain, publicKey)), ...(await checkTrials(cosign, chain))]
}

/** The limits are counted in the database: without it, nothing is signed. */
async function checkLogin(url: string, chain: string): Promise<Finding> {
  const subject = 'cosigner database'
  try {
    if (await isCosigningOn(url, chain)) return ok(subject, 'this login can count the limits')
    return warn(subject, `cosigning for ${chain} is switched off`, 'headwater cosign --on')
  } catch (error) {
    return failure(subject, error, 'correct DATABASE_URL')
  }
}

/** If the node cannot run trials, the sponsor signs nothing. */
async function checkTrials(cosign: CosignConfig, chain: ChainConfig): Promise<Finding[]> {
  if (cosign.node === undefined || cosign.simulate === 'off') return []
  const subject = 'cosigner trials'
  try {
    await nodeChecks(cosign.node, cosign, chainIdOf(chain)).checkTrials()
    return [ok(subject, 'the node tries transactions')]
  } catch (error) {
    return [failure(subject, error, 'correct cosign.node')]
  }
}

async function checkPermission(cosign: CosignConfig, chain: ChainConfig, publicKey: string | null): Promise<Finding[]> {
  const { payer, permission: name } = cosign
  const subject = `cosigner permission ${payer}@${name}`
  if (cosign.node === undefined) return [warn(subject, 'not checked: no node is configured', 'set cosign.node')]
  try {
    const checks = nodeChecks(cosign.node, cosign, chainIdOf(chain))
    await checks.head()
    const { permissions } = await checks.payer()
    const permission = permissions.find((one) => one.name === name)
    if (permission === undefined)
      return [
        fail(
          subject,
          'the account has no such permission',
          `make it: one key, parent active, linked to ${payer}::${NOOP}`,
        ),
      ]
    const parents = permissions.filter((one) => one.name !== name)
    return [
      checkAuthority(subject, permission, publicKey),
      checkLinks(subject, permission, payer),
      ...checkBelow(subject, permission.name, permissions),
      ...parents
        .filter(({ keys }) => publicKey !== null && keys.some(({ key }) => sameKey(key, publicKey)))
        .map((one) =>
          fail(subject, `its key is also that of ${payer}@${one.name}`, 'give the permission a key of its own'),
        ),
    ]
  } catch (error) {
    return [failure(subject, error, 'correct cosign.node')]
  }
}

function checkAuthority(
  subject: string,
  { keys, delegates, threshold }: Permission,
  publicKey: string | null,
): Finding {
  const isOne = keys.length === 1 && delegates === 0 && (keys[0]?.weight ?? 0) >= threshold
  if (!isOne) return fail(subject, 'it has not exactly one key', 'one key of weight 1, threshold 1, no accounts')
  if (publicKey !== null && !sameKey(keys[0]?.key ?? '', publicKey))
    return fail(subject, `its key is ${keys[0]?.key}, the key file holds another`, 'change the permission or the file')
  return ok(subject, 'one key, that of the file')
}

/** A permission can also use all permissions below it, with the actions linked to them. */
function checkBelow(subject: string, name: string, all: readonly Permission[]): Finding[] {
  return all
    .filter((one) => one.parent === name)
    .flatMap((one) => [
      fail(subject, `the permission ${one.name} stands below it: its key may use that too`, 'eosio::deleteauth it'),
      ...checkBelow(subject, one.name, all),
    ])
}

/** With further links a stolen key could do more than spend CPU; without a link it signs nothing. */
function checkLinks(subject: string, { links }: Permission, payer: string): Finding {
  if (links === null)
    return warn(subject, 'the node does not report its linked actions', 'ask a node of version 3.1 or newer')
  const others = links.filter(({ account, action }) => account !== payer || action !== NOOP)
  if (others.length > 0) {
    const names = others.map(({ account, action }) => `${account}::${action === '' ? '*' : action}`)
    return fail(subject, `it is linked to ${names.join(', ')} too`, 'unlink it: eosio::unlinkauth')
  }
  if (links.length === 0)
    return fail(subject, 'it is linked to nothing', `link it: eosio::linkauth ${payer} ${payer} ${NOOP}`)
  return ok(subject, `linked to ${payer}::${NOOP} only`)
}
