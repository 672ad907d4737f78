// What follows from one item of a long list, such as its JSON: made again only when something in the item has changed.
import type { BlockMark } from '../market/model.ts'

interface Value<T> {
  /** Block since which it holds. */
  block: string
  variant: string
  value: T
}

/** Values by item, as long as the item is in memory. Items of different chains are different objects. */
export class Kept<Item extends object, T> {
  private readonly values = new WeakMap<Item, Value<T>>()

  /**
   * @param mark     block since which the item is what it is
   * @param variant  what the value depends on beside the item
   */
  of(item: Item, mark: BlockMark, variant: string, make: () => T): T {
    const known = this.values.get(item)
    if (known !== undefined && known.block === mark.id && known.variant === variant) return known.value
    const value = make()
    this.values.set(item, { block: mark.id, variant, value })
    return value
  }
}
