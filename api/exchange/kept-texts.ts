// The JSON of each item of a long list, made again only when something in it has changed.
import type { BlockMark } from '../market/model.ts'

interface Kept {
  /** Block since which it says so, and what else it depends on. */
  block: string
  variant: string
  text: string
}

/** Texts by item, as long as the item is in memory. */
export class KeptTexts<Item extends object> {
  private readonly kept = new WeakMap<Item, Kept>()

  /**
   * @param mark     block since which the item is what it is
   * @param variant  what the text depends on beside the item
   */
  of(item: Item, mark: BlockMark, variant: string, make: () => unknown): string {
    const known = this.kept.get(item)
    if (known !== undefined && known.block === mark.id && known.variant === variant) return known.text
    const text = JSON.stringify(make())
    this.kept.set(item, { block: mark.id, variant, text })
    return text
  }
}
