// Chains that a devnet simulates, with the ids of the real chains: bridge domains derive from them.

export const networks = {
  wax: { chainId: '1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aec5a4', firstBlock: 300_000_000 },
  telos: { chainId: '4667b205c6838ef70ff7988f6e8257e8be0e1284a2f59699054a018f743b1d11', firstBlock: 400_000_000 },
} as const

export type NetworkName = keyof typeof networks

export const isNetworkName = (name: string): name is NetworkName => Object.hasOwn(networks, name)
