// Forks that the messages of the market stream tell of.
import t from 'tap'
import { MessageBlocks } from '../../../web/explorer/core/message-blocks.ts'

t.test('a lower block is a fork, and one of its number when a channel has it twice', async (t) => {
  const blocks = new MessageBlocks()
  const told = (text: string) => text.split(' ').map((one) => blocks.isFork(one.slice(0, 1), Number(one.slice(1))))
  t.same(told('a10 b10 a11 b11 c11'), [false, false, false, false, false], 'one message of each channel and block')
  t.same(told('a11 b11 c11 d11'), [true, false, false, false], 'block 11 was replaced once')
  t.same(told('b11'), [true], 'and once more')
  t.same(told('a9 b9 a10 b10'), [true, false, false, false], 'three blocks were replaced by one')
  blocks.forget('a')
  t.same(told('a10'), [false], 'a new subscription is answered with the state')
  t.same(told('b10'), [true])
})
