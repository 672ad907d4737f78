// SQL of the rewind command.

export const POSITION = `
  select first_block as "firstBlock", block_num as block, lib_num as lib from meta.position where chain = $1 for update`

export const REWIND = `select meta.rewind($1, $2)`

export const CLEAR = `select meta.clear_chain($1)`

export const RECORD = `
  insert into meta.rewinds (chain, from_block, to_block, lib_num, forced) values ($1, $2, $3, $4, $5)`
