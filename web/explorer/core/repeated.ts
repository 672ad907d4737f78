// Symbols that more than one token of a list has. Pages show the contracts of these tokens too. Pure.
export function repeatedSymbols(symbols: readonly string[]): Set<string> {
  return new Set(symbols.filter((symbol, i) => symbols.indexOf(symbol) !== i))
}
