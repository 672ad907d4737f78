// The keys of the relayer, each from a file or at a signer over HTTP.
import type { RelayConfig } from '../config/relay-schema.ts'
import { UserError } from '../core/errors.ts'
import { AntelopeKey, type AntelopeSigner, WalletKey } from './antelope/key.ts'
import { EvmKey, type EvmSigner, Web3SignerKey } from './evm/key.ts'

export type KeySettings = Pick<
  RelayConfig,
  'evmKeyFile' | 'evmSigner' | 'evmAddress' | 'antelopeKeyFile' | 'antelopeSigner' | 'antelopePublicKey'
>

/** @returns null without a key for EVM chains @throws UserError RELAY_KEY_*, RELAY_SIGNER_KEY; RetryableError RELAY_SIGNER */
export async function evmKeyOf(
  { evmKeyFile, evmSigner, evmAddress }: KeySettings,
  signal: AbortSignal,
): Promise<EvmSigner | null> {
  requireOne('evmKeyFile', evmKeyFile, 'evmSigner', evmSigner)
  if (evmSigner !== undefined) return Web3SignerKey.open(evmSigner, evmAddress, signal)
  return evmKeyFile === undefined ? null : EvmKey.read(evmKeyFile)
}

/** @returns null without a key for Antelope chains @throws UserError RELAY_KEY_*, RELAY_SIGNER_KEY */
export function antelopeKeyOf(
  { antelopeKeyFile, antelopeSigner, antelopePublicKey }: KeySettings,
  signal: AbortSignal,
): AntelopeSigner | null {
  requireOne('antelopeKeyFile', antelopeKeyFile, 'antelopeSigner', antelopeSigner)
  if (antelopeSigner !== undefined) return WalletKey.open(antelopeSigner, antelopePublicKey, signal)
  return antelopeKeyFile === undefined ? null : AntelopeKey.read(antelopeKeyFile)
}

/** Which keys are configured. */
export function hasKeys(settings: KeySettings): { evm: boolean; antelope: boolean } {
  const { evmKeyFile, evmSigner, antelopeKeyFile, antelopeSigner } = settings
  return { evm: (evmKeyFile ?? evmSigner) !== undefined, antelope: (antelopeKeyFile ?? antelopeSigner) !== undefined }
}

function requireOne(file: string, path: string | undefined, signer: string, url: string | undefined): void {
  if (path === undefined || url === undefined) return
  throw new UserError('RELAY_KEY_TWICE', `relay.${file} and relay.${signer} are both set`, {
    hint: 'a key is in a file or at a signer: remove one of the settings',
  })
}
