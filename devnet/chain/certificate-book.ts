// Certificates by the block that contains them. A certificate is signed when its block is first read.

import { BLOCK_EXTENSION } from '../../core/antelope/block.ts'
import { Writer } from '../../core/antelope/writer.ts'
import type { Certificate, Finalizers } from './finalizers.ts'
import type { StoredBlock } from './frame-store.ts'

export class CertificateBook {
  private readonly finalizers: Finalizers
  private readonly byBlock = new Map<string, Certificate | Uint8Array>()

  constructor(finalizers: Finalizers) {
    this.finalizers = finalizers
  }

  add(blockId: string, certificate: Certificate): void {
    this.byBlock.set(blockId, certificate)
  }

  drop(blockId: string): void {
    this.byBlock.delete(blockId)
  }

  /** Data of the block extension with the certificate; null when the block carries none. */
  packed(blockId: string): Uint8Array | null {
    const entry = this.byBlock.get(blockId)
    if (!entry || entry instanceof Uint8Array) return entry ?? null
    const packed = this.finalizers.sign(entry)
    this.byBlock.set(blockId, packed)
    return packed
  }

  /** Adds the certificate to the block as its only extension. Assumes that the block is packed without any. */
  attach(stored: StoredBlock): StoredBlock {
    const packed = this.packed(stored.id)
    if (!packed) return stored
    const writer = new Writer(stored.block.length + 512)
    writer.bytes(stored.block.subarray(0, stored.block.length - 1))
    writer.varuint32(1)
    writer.u16(BLOCK_EXTENSION.quorumCertificate)
    writer.lengthBytes(packed)
    return { ...stored, block: writer.finish() }
  }
}
