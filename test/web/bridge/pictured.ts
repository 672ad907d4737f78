// The bridge's pages in the explorer, for pictures.
import { arrival, burn, HOUR, MINUTE, provenBurn, vaultDeposit } from '../../api/bridge/scene.ts'
import { nextBlock, openStage } from './stage.ts'

export async function bridgePictures(t: { teardown(work: () => Promise<void>): void }) {
  const stage = await openStage(t)
  const { scene, site, api } = stage
  await scene.add({ ago: HOUR }, ...provenBurn(5, '1', { fee: 10_000 }))
  await scene.add({ ago: 2 * MINUTE }, vaultDeposit(6))
  await scene.add({ ago: HOUR }, vaultDeposit(7, { log_index: 1 }))
  await scene.add({ ago: 30 * MINUTE }, arrival('credited', '1', 7))
  await scene.add({ ago: 10 * MINUTE }, burn(8, '1'))
  await nextBlock(stage)
  const steps = `document.querySelectorAll('.timeline > li > .step').length >= 2`
  const legs = `document.querySelectorAll('[data-leg]').length === 11 && document.querySelector('[data-pending]') && document.querySelector('[data-leg]').cells[3].textContent !== '–'`
  return {
    site,
    get: async (path: string) => (await api.get(path, { host: 'localhost' })).body,
    pages: [
      ['transfer', '/transfer/d:1:7', steps],
      ['transfer-open', '/transfer/w:5', steps],
      ['operator', '/bridge/operator', legs],
    ] as const,
  }
}
