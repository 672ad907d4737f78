// An ABI book that notes by which ABIs a range of blocks was read where the range itself had not set them. Whoever knows
// the chain up to the range can tell from the note whether these were the right ones.
import { AbiBook, type AbiVersion } from '../decode/abi-book.ts'

/** SHA-256 of packed ABIs in hex by account; null for an account that had none. */
export type UsedAbis = Record<string, string | null>

export class RecordedAbis extends AbiBook {
  private readonly firstBlock: number
  private readonly notes = new Map<string, string | null>()
  /** Notes of the block that is being read. */
  private readonly ofBlock = new Map<string, string | null>()

  /** @param firstBlock  of the range */
  constructor(firstBlock: number) {
    super()
    this.firstBlock = firstBlock
  }

  override versionAt(account: string, blockNum: number, globalSeq: bigint): AbiVersion | undefined {
    const version = super.versionAt(account, blockNum, globalSeq)
    if (!version || version.blockNum < this.firstBlock) this.ofBlock.set(account, version?.hash ?? null)
    return version
  }

  /** Ends a block. */
  endBlock(): void {
    for (const [account, hash] of this.ofBlock) this.notes.set(account, hash)
    this.ofBlock.clear()
  }

  /** What the blocks since the last call have noted. */
  takeUsed(): UsedAbis {
    const used = Object.fromEntries(this.notes)
    this.notes.clear()
    return used
  }

  /** Accounts that the block was read without an ABI of. */
  get missing(): string[] {
    return [...this.ofBlock].filter(([, hash]) => hash === null).map(([account]) => account)
  }
}

/** The first account for which a range used another ABI than the book has in front of it; null when all are right. */
export function differingAbi(used: UsedAbis, book: AbiBook, firstBlock: number): string | null {
  for (const [account, hash] of Object.entries(used)) {
    if ((book.versionAt(account, firstBlock, 0n)?.hash ?? null) !== hash) return account
  }
  return null
}
