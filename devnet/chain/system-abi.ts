// ABI of the system account, as far as a devnet uses it.

import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'

export const systemAbi: AbiDefinition = {
  version: 'eosio::abi/1.2',
  types: [],
  structs: [
    {
      name: 'producer_key',
      base: '',
      fields: [
        { name: 'producer_name', type: 'name' },
        { name: 'block_signing_key', type: 'public_key' },
      ],
    },
    {
      name: 'producer_schedule',
      base: '',
      fields: [
        { name: 'version', type: 'uint32' },
        { name: 'producers', type: 'producer_key[]' },
      ],
    },
    {
      name: 'extension',
      base: '',
      fields: [
        { name: 'type', type: 'uint16' },
        { name: 'data', type: 'bytes' },
      ],
    },
    {
      name: 'block_header',
      base: '',
      fields: [
        { name: 'timestamp', type: 'uint32' },
        { name: 'producer', type: 'name' },
        { name: 'confirmed', type: 'uint16' },
        { name: 'previous', type: 'checksum256' },
        { name: 'transaction_mroot', type: 'checksum256' },
        { name: 'action_mroot', type: 'checksum256' },
        { name: 'schedule_version', type: 'uint32' },
        { name: 'new_producers', type: 'producer_schedule?' },
        { name: 'header_extensions', type: 'extension[]' },
      ],
    },
    { name: 'onblock', base: '', fields: [{ name: 'header', type: 'block_header' }] },
    {
      name: 'setabi',
      base: '',
      fields: [
        { name: 'account', type: 'name' },
        { name: 'abi', type: 'bytes' },
      ],
    },
    {
      name: 'setcode',
      base: '',
      fields: [
        { name: 'account', type: 'name' },
        { name: 'vmtype', type: 'uint8' },
        { name: 'vmversion', type: 'uint8' },
        { name: 'code', type: 'bytes' },
      ],
    },
  ],
  actions: ['onblock', 'setabi', 'setcode'].map((name) => ({ name, type: name, ricardian_contract: '' })),
  tables: [],
  variants: [],
}
