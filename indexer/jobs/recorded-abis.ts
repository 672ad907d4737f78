// An ABI book that records which earlier ABIs decoded the blocks of a range. The process that takes over the range
// compares them with the chain's ABIs before the range.
import { AbiBook, type AbiVersion } from '../decode/abi-book.ts'

/** SHA-256 of packed ABIs, hex, by account; null for an account without ABI. */
export type UsedAbis = Record<string, string | null>

export class RecordedAbis extends AbiBook {
  private readonly firstBlock: number
  private readonly notes = new Map<string, string | null>()
  /** Records of the current block. */
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

  /** Takes the records since the last call. */
  takeUsed(): UsedAbis {
    const used = Object.fromEntries(this.notes)
    this.notes.clear()
    return used
  }

  /** Accounts of the current block without an ABI. */
  get missing(): string[] {
    return [...this.ofBlock].filter(([, hash]) => hash === null).map(([account]) => account)
  }
}

/** First account whose ABI before the range differs from the one used; null when all are equal. */
export function differingAbi(used: UsedAbis, book: AbiBook, firstBlock: number): string | null {
  for (const [account, hash] of Object.entries(used)) {
    if ((book.versionAt(account, firstBlock, 0n)?.hash ?? null) !== hash) return account
  }
  return null
}
