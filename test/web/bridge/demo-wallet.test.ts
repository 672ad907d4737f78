// The demo's wallet describes each transaction before the user signs it.
import t from 'tap'
import { demoWallets } from '../../../bin/demo-visitor.ts'
import {
  approve,
  deposit,
  depositNative,
  type EvmCall,
  expire,
  release,
  submitAndExpire,
  submitAndLearn,
  submitAndRelease,
} from '../../../web/bridge/core/evm/calls.ts'
import * as proof from '../journeys/sample-proof.ts'
import { browserFor, PHONE } from './browser.ts'
import { BUYER, openStage } from './stage.ts'

const [TOKEN, VAULT] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
/** Account `bob` as 64 bits. */
const BOB = 0x3d0e000000000000n
const browser = await browserFor(t)

if (browser !== null)
  t.test('the prompt names the action, the amount and the parties', async (t) => {
    const { site } = await openStage(t, { demo: demoWallets('http://127.0.0.1:9') })
    const page = await browser.open(`${site}/v/wax/bridge`, PHONE)
    await page.until(`document.querySelector('form.card')`)
    const prompt = async ({ to, data, value }: EvmCall) => {
      const transaction = JSON.stringify({ to, data, value: `0x${(value ?? 0n).toString(16)}` })
      await page.evaluate(`(() => {
        addEventListener('eip6963:announceProvider', ({ detail }) => void detail.provider
          .request({ method: 'eth_sendTransaction', params: [${transaction}] }).catch(() => {}), { once: true })
        dispatchEvent(new Event('eip6963:requestProvider'))
      })()`)
      await page.until(`document.querySelector('dialog.demo-wallet')`)
      const text = await page.evaluate<string>(`document.querySelector('dialog.demo-wallet dl').innerText`)
      await page.evaluate(`document.querySelector('.demo-reject').click()`)
      return text.replaceAll('\n', ' ')
    }
    const terms = { vault: VAULT, token: TOKEN, amount: 12_500_000n, telosTo: BOB, refundTo: BUYER, memo: '' }
    t.match(
      await prompt(approve(TOKEN, VAULT, 12_500_000n)),
      `Allow a contract to take tokens Who may take ${VAULT} Units 12,500,000`,
    )
    const own = BUYER.toLowerCase()
    t.match(await prompt(deposit(terms)), `Token ${TOKEN} Units 12,500,000 For account bob Comes back to ${own}`)
    t.match(await prompt(depositNative(terms)), `Deposit ether into the bridge For account bob Comes back to ${own}`)
    const memo = '1181148696416462999:visitor|1:0xdf'
    for (const call of [deposit({ ...terms, memo }), depositNative({ ...terms, memo })])
      t.match(await prompt(call), `Comes back to ${own} With the note ${memo} Call`, 'the recipient on another chain')
    t.notMatch(await prompt(deposit(terms)), 'With the note')
    const payout = `Withdrawal 77 Token ${proof.TOKEN} Units 18,446,744,073,709,551,615 Fee in units 0`
    for (const call of [release(VAULT, proof.release), submitAndRelease(VAULT, proof.root, proof.release)])
      t.match(await prompt(call), `Prove a withdrawal and pay it out ${payout} Pays out to ${proof.OWNER}`)
    for (const call of [expire(VAULT, proof.release), submitAndExpire(VAULT, proof.root, proof.release)])
      t.match(await prompt(call), `so that it is refunded ${payout} Not paid out to ${proof.OWNER}`)
    t.match(
      await prompt(submitAndLearn(VAULT, proof.root, proof.learn)),
      'What it does Tell the bridge who signs the blocks of the other chain now. No tokens move As of block 5 ',
    )
    t.notMatch(
      await prompt({ to: VAULT, data: '0x12345678', value: 0n }),
      'What it does',
      'nothing is said of an unknown call',
    )
    await page.visit('about:blank#')
  })
