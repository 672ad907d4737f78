import t from 'tap'
import { Domain } from './error-domain.ts'
import { until } from './until.ts'

t.test('uncaught errors and rejections go to the newest open domain, and the process continues', async (t) => {
  const heard: [string, string, string][] = []
  const domainOf = (name: string) => new Domain((error, type) => heard.push([name, (error as Error).message, type]))
  const [outer, inner] = [domainOf('outer'), domainOf('inner')]
  setTimeout(() => {
    throw new Error('a callback')
  }, 1)
  await until('the error', () => heard.length === 1)
  void Promise.reject(new Error('a promise'))
  await until('the rejection', () => heard.length === 2)
  inner.destroy()
  inner.destroy()
  setImmediate(() => {
    throw new Error('later')
  })
  await until('the last error', () => heard.length === 3)
  outer.destroy()
  t.strictSame(heard, [
    ['inner', 'a callback', 'uncaughtException'],
    ['inner', 'a promise', 'unhandledRejection'],
    ['outer', 'later', 'uncaughtException'],
  ])
})
