// Blocks under Savanna have a certificate exactly where they claim another one than their parents. So a publisher can
// neither leave a certificate out nor add one.
import { BLOCK_EXTENSION, readSignedBlock } from '../../core/antelope/block.ts'
import { DecodeError } from '../../core/errors.ts'
import type { QcClaim } from '../../core/finality/finality-core.ts'
import { finalityExtensionOf } from '../../core/finality/finality-extension.ts'
import { readQuorumCertificate } from '../../core/finality/quorum-certificate.ts'

export class ClaimedCertificates {
  /** Claim of the last block; null before the first one. */
  #last: QcClaim | null = null

  /**
   * @param block  packed `signed_block`, the next one of the chain
   * @param claimed  the block that it claims by its finality data, to which certificates commit
   * @throws DecodeError PACK_CERTIFICATE
   */
  check(block: Uint8Array, claimed: number): void {
    const { header, extensions } = readSignedBlock(block)
    const claim = finalityExtensionOf(header)?.claim
    if (claim?.blockNum !== claimed) {
      throw wrong(`its header claims block ${claim?.blockNum ?? 'none'}, its finality data block ${claimed}`)
    }
    const last = this.#last
    this.#last = claim
    const found = extensions.find(({ id }) => id === BLOCK_EXTENSION.quorumCertificate)
    const target = found && readQuorumCertificate(found.data).blockNum
    if (target !== undefined && target !== claimed) {
      throw wrong(`it has a certificate on block ${target} and claims one on block ${claimed}`)
    }
    if (!last) return
    const isNew = claimed > last.blockNum || (claim.strong && !last.strong)
    if (isNew && !found) throw wrong(`it claims a certificate on block ${claimed}, which is left out`)
    if (!isNew && found) throw wrong(`it has a certificate on block ${claimed}, which its parent claims already`)
  }
}

function wrong(message: string): DecodeError {
  return new DecodeError('PACK_CERTIFICATE', message)
}
