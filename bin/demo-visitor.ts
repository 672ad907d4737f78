// Wallets and tokens that the demo gives to visitors of the bridge's web page. The wallets need no installation.
import { fileURLToPath } from 'node:url'
import type { DemoWallets } from '../api/site/page-config.ts'
import { EvmRpc } from '../devnet/evm/rpc.ts'
import { AntelopeNode } from '../devnet/relayer/antelope-node.ts'
import { fundVisitor, VISITOR, VISITOR_ADDRESS, VISITOR_KEY } from '../devnet/visitor/visitor.ts'

/** @param evm  URL of the EVM node, which signs for visitors */
export function demoWallets(evm: string): DemoWallets {
  return {
    script: fileURLToPath(new URL('../devnet/visitor/wallet.js', import.meta.url)),
    query: new URLSearchParams({ node: evm, address: VISITOR_ADDRESS }).toString(),
    address: VISITOR_ADDRESS,
    account: VISITOR,
    key: VISITOR_KEY,
  }
}

/** Sends tokens to the visitor on each chain. @param nodes  URLs */
export function welcomeVisitor(nodes: { telos: string; wax: string; evm: string }): Promise<void> {
  const { telos, wax, evm } = nodes
  return fundVisitor({ telos: new AntelopeNode(telos), wax: new AntelopeNode(wax), evm: new EvmRpc(evm) })
}

/** A line of the demo's list of addresses. */
export const visitorLine = `${VISITOR} on wax and telos, ${VISITOR_ADDRESS}; the page offers wallets for them`
