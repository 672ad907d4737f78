// Antelope wallet sessions with WharfKit. Loaded when such a wallet is chosen; needs a document for its prompts.
import {
  AbstractUserInterface,
  type Cancelable,
  cancelable,
  type LoginContext,
  type PromptArgs,
  type PromptResponse,
  type Session,
  SessionKit,
  SignedTransaction,
  type UserInterfaceLoginResponse,
  type UserInterfaceTranslateOptions,
  type WalletPlugin,
} from '@wharfkit/session'
import { WalletPluginAnchor } from '@wharfkit/wallet-plugin-anchor'
import { WalletPluginCloudWallet } from '@wharfkit/wallet-plugin-cloudwallet'
import { WalletPluginPrivateKey } from '@wharfkit/wallet-plugin-privatekey'
import { antelopeFault, Fault } from '../core/faults.ts'
import type { AntelopeWallet, ChainAccess, WalletChoice } from '../core/types.ts'
import { actionRows } from './action-words.ts'
import { type Prompt, showPrompt } from './prompt.ts'

export type SessionWallet = { plugin: 'anchor' | 'cloud' } | { plugin: 'key'; account: string; key: string }

const APP = 'bridge'
const PERMISSION = 'active'
const EXPIRE_SECONDS = 300

function pluginOf(wallet: SessionWallet): WalletPlugin {
  if (wallet.plugin === 'key') return new WalletPluginPrivateKey(wallet.key)
  return wallet.plugin === 'anchor' ? new WalletPluginAnchor() : new WalletPluginCloudWallet()
}

/** Asks the user in the wallet. @throws Error of WharfKit or of the wallet */
export async function login(choice: WalletChoice, chain: ChainAccess, wallet: SessionWallet): Promise<AntelopeWallet> {
  const id = chain.antelopeId ?? ''
  const ui = new PageInterface()
  const kit = new SessionKit(
    {
      appName: APP,
      chains: [{ id, url: chain.node ?? '' }],
      ui,
      walletPlugins: [pluginOf(wallet)],
    },
    { storage: memory(), expireSeconds: EXPIRE_SECONDS, allowModify: false },
  )
  const permissionLevel = wallet.plugin === 'key' ? `${wallet.account}@${PERMISSION}` : undefined
  const { session } = await ui.unlessClosed(kit.login({ chain: id, permissionLevel }))
  if (String(session.chain.id) !== id)
    throw new Fault('WALLET_OTHER_CHAIN', `The wallet has answered for another chain than ${chain.name}.`)
  return sessionWallet(choice, chain, session, ui, wallet.plugin === 'key')
}

/** @param asks  whether this page asks before it signs, because the wallet has no window of its own */
function sessionWallet(
  choice: WalletChoice,
  chain: ChainAccess,
  session: Session,
  ui: PageInterface,
  asks: boolean,
): AntelopeWallet {
  return {
    kind: 'antelope',
    choice,
    chain: chain.id,
    account: String(session.actor),
    permission: String(session.permission),
    async transact(actions) {
      try {
        if (asks) {
          const signer = [
            ['Chain', chain.name],
            ['Signs', `${session.actor}@${session.permission}`],
          ] as const
          await ui.confirm(`${choice.name}: sign and send?`, [...signer, ...actions.flatMap(actionRows)])
        }
        const plain = actions.map(({ authorization, ...action }) => ({ ...action, authorization: [...authorization] }))
        // Pushed here, so that a request that was closed is not sent when the wallet answers later.
        const signing = session.transact({ actions: plain }, { broadcast: false })
        const { resolved, signatures } = await ui.unlessClosed(signing)
        if (resolved === undefined || signatures.length === 0)
          throw new Fault('WALLET_FAILED', 'The wallet has answered without a signature. Nothing was sent.')
        const signed = SignedTransaction.from({ ...resolved.transaction, signatures })
        const { transaction_id: id } = await session.client.v1.chain.send_transaction(signed)
        return String(id ?? resolved.transaction.id)
      } catch (error) {
        throw antelopeFault(error)
      }
    },
    disconnect: async () => {},
  }
}

/** Session storage in memory: in frames, browser storage is often partitioned or missing. */
function memory() {
  const kept = new Map<string, string>()
  return {
    write: async (key: string, data: string) => void kept.set(key, data),
    read: async (key: string) => kept.get(key) ?? null,
    remove: async (key: string) => void kept.delete(key),
  }
}

/** Shows the wallets' prompts and messages in a dialog of the page. */
class PageInterface extends AbstractUserInterface {
  private open: Prompt | null = null
  private closed: (fault: Fault) => void = () => {}

  /** Rejects when the user closes the prompt: some wallets would keep waiting. */
  async unlessClosed<T>(answer: Promise<T>): Promise<T> {
    answer.catch(() => {})
    const closed = new Promise<never>((_, reject) => {
      this.closed = reject
    })
    try {
      return await Promise.race([answer, closed])
    } finally {
      this.close()
    }
  }

  /** Asks before the page signs with a key. @throws Fault WALLET_REJECTED */
  confirm(title: string, rows: readonly (readonly [string, string])[]): Promise<void> {
    this.close()
    const elements = [
      { type: 'rows', data: rows },
      { type: 'accept', label: 'Confirm' },
    ]
    return new Promise((resolve, reject) => {
      this.open = showPrompt(
        { title, body: 'It signs on this page, with a key for trials.', elements },
        { accept: resolve, cancel: () => reject(new Fault('WALLET_REJECTED', 'You have refused. Nothing was sent.')) },
      )
    })
  }

  private close(): void {
    this.open?.close()
    this.open = null
  }

  async login(_context: LoginContext): Promise<UserInterfaceLoginResponse> {
    return { walletPluginIndex: 0 }
  }

  async onError(): Promise<void> {
    this.close()
  }

  async onAccountCreate(): Promise<never> {
    throw new Fault('WALLET_UNSUPPORTED', 'Accounts are not made here.')
  }

  async onAccountCreateComplete(): Promise<void> {}
  async onLogin(): Promise<void> {}
  async onLoginComplete(): Promise<void> {
    this.close()
  }

  async onTransact(): Promise<void> {}
  async onTransactComplete(): Promise<void> {
    this.close()
  }

  async onSign(): Promise<void> {}
  async onSignComplete(): Promise<void> {
    this.close()
  }

  async onBroadcast(): Promise<void> {}
  async onBroadcastComplete(): Promise<void> {}

  prompt({ title, body, elements }: PromptArgs): Cancelable<PromptResponse> {
    this.close()
    const answer = new Promise<PromptResponse>((resolve, reject) => {
      this.open = showPrompt(
        { title, body: body ?? '', elements },
        {
          accept: () => resolve({}),
          cancel: () => {
            const fault = new Fault('WALLET_REJECTED', 'You have closed the wallet’s request. Nothing was sent.')
            reject(fault)
            this.closed(fault)
          },
        },
      )
    })
    return cancelable(answer, () => this.close())
  }

  status(message: string): void {
    this.open?.say(message)
  }

  override translate(_key: string, options?: UserInterfaceTranslateOptions): string {
    const text = options?.default ?? ''
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(options?.[name] ?? ''))
  }

  override addTranslations(): void {}
}
