// Addresses of the bridge's contracts and tokens on the EVM node, in the order of their deployment by the owner.

export const USDC_ADDRESS = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
export const USDT_ADDRESS = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512'
export const VAULT_ADDRESS = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0'
export const LIGHT_CLIENT_ADDRESS = '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9'
export const WITHDRAWALS_ADDRESS = '0xdc64a140aa3e981100a9beca4e685f962f0cf6c9'
/** Represents the chain's own coin. */
export const NATIVE_ADDRESS = '0x0000000000000000000000000000000000000000'
