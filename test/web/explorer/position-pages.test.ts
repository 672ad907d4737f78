// Pages of positions, of which only the first is read again.
import t from 'tap'
import { positionsOf } from '../../../web/explorer/core/position-pages.ts'

/** Positions from `id:liquidity`. */
const page = (next: string | null, ...texts: string[]) => ({
  positions: texts.map((text) => {
    const [id, liquidity] = text.split(':') as [string, string]
    return { id, liquidity }
  }),
  next,
})
const shown = (...args: Parameters<typeof positionsOf>) => positionsOf(...args).map(({ id }) => id)

t.test('further pages stay while the first is read again, each position once and in order', async (t) => {
  const first = page('a', '4:90', '9:80', '7:80')
  t.same(shown([first], first), ['4', '9', '7'])
  const pages = [first, page('b', '3:80', '8:10', '5:9')]
  t.same(shown(pages, first), ['4', '9', '7', '3', '8', '5'])
  const pushed = page('n', '20:18446744073709551615', '4:90', '9:80')
  t.same(shown(pages, pushed), ['20', '4', '9', '7', '3', '8', '5'], 'what the new one pushed out comes next')
  const closed = page('n', '9:80', '7:80', '3:80')
  t.same(shown(pages, closed), ['9', '7', '3', '8', '5'], 'what was closed has gone')
  const grown = page('n', '5:100', '4:90', '9:80')
  t.same(shown(pages, grown), ['5', '4', '9', '7', '3', '8'], 'a position that rose is not on its old page too')
  t.same(shown(pages, page(null, '9:80')), ['9'], 'the first page is all')
  t.same(shown(pages, page(null)), [])
})
