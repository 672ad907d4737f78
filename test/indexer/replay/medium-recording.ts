import { ReplaySource } from '../../../indexer/source/replay.ts'
import type { Scene } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'
import { indexExchange } from './index-recording.ts'

const MEDIUM = new URL('../../fixtures/recordings/medium.ship.gz', import.meta.url).pathname

/** The recording `medium` as chain `wax`, indexed to its end without finality, for `testDatabase`. */
export const MEDIUM_RECORDING: Scene = {
  name: 'medium_recording',
  write: async ({ url }) => void (await indexExchange(url, 'wax', new ReplaySource(MEDIUM), undefined, VALUATION)),
}
