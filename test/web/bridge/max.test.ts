// The button Max of the form in a browser: the whole balance of a token; of the chain's coin, what gas leaves.
import t from 'tap'
import { browserFor, SCREEN } from './browser.ts'
import { openStage, WALLET } from './stage.ts'

const stage = await openStage(t)
const browser = await browserFor(t)
/** One gwei for gas; 100 coins with 8 decimals, which the bridge of this scene counts for its own coin. */
const PRICED = WALLET.replace('eth_blockNumber:', `eth_gasPrice: () => '0x3b9aca00',\n    eth_blockNumber:`).replace(
  `'0x56bc75e2d63100000'`,
  `'0x2540be400'`,
)

if (browser !== null) {
  for (const [token, most] of [
    ['USDC', '2500'],
    // 100 coins without three times 65,000 gas.
    ['ETH', '99.999805'],
  ] as const)
    t.test(`Max takes what can be sent of ${token}`, async (t) => {
      const page = await browser.open(
        `${stage.site}/v/wax/bridge?from=mainnet&to=telos&recipient=bob&token=${token}`,
        SCREEN,
        PRICED,
      )
      await page.until(`document.querySelector('form.card')`)
      await page.activate('form.card [type=submit]')
      await page.activate('.wallet')
      const button = `[...document.querySelectorAll('form.card button')].find((one) => one.textContent === 'Max' && !one.hidden)`
      await page.until(button)
      await page.until(`/Gas on Ethereum\\s+about/.test(document.querySelector("form.card").innerText)`, 20_000)
      await page.evaluate(`${button}.click()`)
      t.equal(await page.evaluate(`document.querySelector('[name=amount]').value`), most)
      t.same(page.complaints, [])
    })
}
