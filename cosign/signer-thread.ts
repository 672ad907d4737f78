// The signing thread. It reads the key itself and sends back only signatures.
import { parentPort, workerData } from 'node:worker_threads'
import { UserError } from '../core/errors.ts'
import { fromHex } from '../core/hex.ts'
import { readKeyFile } from './key-file.ts'
import { Signer } from './signer.ts'
import type { FromThread, SignerTask, ToThread } from './threaded-signer.ts'

/** Signatures made at the start so that the engine compiles the signing code before the first request. */
const WARM_UP = 150

const { keyFile, chainId } = workerData as SignerTask
const send = (message: FromThread) => parentPort?.postMessage(message)

try {
  const signer = new Signer(readKeyFile(keyFile), fromHex(chainId))
  for (let i = 0; i < WARM_UP; i++) signer.sign(Uint8Array.of(i))
  parentPort?.on('message', ({ id, packed }: ToThread) => send({ id, signature: signer.sign(packed) }))
  send({ publicKey: signer.publicKey })
} catch (error) {
  if (!(error instanceof UserError)) throw error
  const { code, message, hint } = error
  send({ refused: { code, message, hint } })
}
