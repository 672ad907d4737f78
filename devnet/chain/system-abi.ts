// ABI of the system account, limited to the devnet's actions.

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
    {
      name: 'permission_level',
      base: '',
      fields: [
        { name: 'actor', type: 'name' },
        { name: 'permission', type: 'name' },
      ],
    },
    {
      name: 'key_weight',
      base: '',
      fields: [
        { name: 'key', type: 'public_key' },
        { name: 'weight', type: 'uint16' },
      ],
    },
    {
      name: 'permission_level_weight',
      base: '',
      fields: [
        { name: 'permission', type: 'permission_level' },
        { name: 'weight', type: 'uint16' },
      ],
    },
    {
      name: 'wait_weight',
      base: '',
      fields: [
        { name: 'wait_sec', type: 'uint32' },
        { name: 'weight', type: 'uint16' },
      ],
    },
    {
      name: 'authority',
      base: '',
      fields: [
        { name: 'threshold', type: 'uint32' },
        { name: 'keys', type: 'key_weight[]' },
        { name: 'accounts', type: 'permission_level_weight[]' },
        { name: 'waits', type: 'wait_weight[]' },
      ],
    },
    {
      name: 'updateauth',
      base: '',
      fields: [
        { name: 'account', type: 'name' },
        { name: 'permission', type: 'name' },
        { name: 'parent', type: 'name' },
        { name: 'auth', type: 'authority' },
      ],
    },
    {
      name: 'linkauth',
      base: '',
      fields: [
        { name: 'account', type: 'name' },
        { name: 'code', type: 'name' },
        { name: 'type', type: 'name' },
        { name: 'requirement', type: 'name' },
      ],
    },
    {
      name: 'unlinkauth',
      base: '',
      fields: [
        { name: 'account', type: 'name' },
        { name: 'code', type: 'name' },
        { name: 'type', type: 'name' },
      ],
    },
  ],
  actions: ['onblock', 'setabi', 'setcode', 'updateauth', 'linkauth', 'unlinkauth'].map((name) => ({
    name,
    type: name,
    ricardian_contract: '',
  })),
  tables: [],
  variants: [],
}
