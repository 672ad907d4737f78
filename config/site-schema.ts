// Settings of the bridge's web pages: of the program, and of each chain that browsers access directly.
import Type from 'typebox'

const exact = { additionalProperties: false }
const url = (description: string) =>
  Type.String({ description, pattern: '^https?://[^\\s]+$', expect: 'a URL: http:// or https://host' })
const page = (description: string, holder: string) =>
  Type.String({
    description,
    pattern: `^https?://[^\\s{}]*\\{${holder}\\}[^\\s{}]*$`,
    expect: `an address with {${holder}} in it, such as https://explorer.example/${holder}/{${holder}}`,
  })

/** Addresses of a chain for browsers. */
export const PublicSchema = Type.Object(
  {
    node: Type.Optional(
      url(
        'Node that browsers may ask: JSON-RPC of an EVM chain, the chain API of an Antelope one. Must allow any origin.',
      ),
    ),
    transactionPage: Type.Optional(page('Page of an explorer, with `{tx}` in it.', 'tx')),
    accountPage: Type.Optional(page('Page of an explorer, with `{account}` in it.', 'account')),
  },
  { ...exact, description: 'Addresses that the bridge page gives to browsers.', default: {} },
)

export const SiteSchema = Type.Object(
  {
    frameAncestors: Type.Array(
      Type.String({
        pattern: '^(\\*|https?://[a-z0-9.*:[\\]-]+)$',
        expect: '* or an origin such as https://partner.example',
      }),
      {
        description: 'Sites that may show the bridge’s widget in a frame; `*`: any.',
        default: ['*'],
        env: 'HEADWATER_SITE_FRAME_ANCESTORS',
      },
    ),
    walletConnect: Type.Optional(
      Type.String({
        description:
          'Project id of WalletConnect; without it, the bridge’s page does not offer it. Needs its library, which is not part of this program: `npm install --no-save @walletconnect/sign-client@2.21.1`.',
        pattern: '^[0-9a-f]{32}$',
        expect: '32 lower-case hex digits',
        env: 'HEADWATER_SITE_WALLET_CONNECT',
      }),
    ),
    walletConnectLibrary: Type.Optional(
      Type.String({
        description:
          'Folder in whose `node_modules` the library of WalletConnect is installed. Without it, the folder of this program.',
        minLength: 1,
        env: 'HEADWATER_SITE_WALLET_CONNECT_LIBRARY',
      }),
    ),
    pollSeconds: Type.Integer({
      description: 'Seconds between requests of the bridge’s page about a transfer.',
      minimum: 1,
      maximum: 300,
      default: 10,
      env: 'HEADWATER_SITE_POLL_SECONDS',
    }),
  },
  { ...exact, description: 'Pages of the bridge.', default: { frameAncestors: ['*'], pollSeconds: 10 } },
)
