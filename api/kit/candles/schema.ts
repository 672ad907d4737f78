// Schemas of the candle endpoints.
import { Type } from 'typebox'
import { RESOLUTIONS } from '../../../core/candles/resolution.ts'

export const Resolution = Type.Enum([...RESOLUTIONS], {
  description: 'Minutes, 1D, 1W (from Monday) or 1M (calendar month), UTC.',
})

const time = Type.Number({ description: 'Start of the candle, Unix milliseconds.' })
const volume = Type.Number({ description: 'Volume in the unit asked for.' })
const text = Type.String({ description: 'Price, 16 significant digits.' })
const price = Type.Number({ description: 'Price, target per base.' })

export const PoolCandle = Type.Object({ time, open: text, high: text, low: text, close: text, volume })
export const SpotCandle = Type.Object({ time, open: price, high: price, low: price, close: price, volume })
