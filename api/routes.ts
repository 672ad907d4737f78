// Every endpoint of a chain. A new one is a function that takes the Api, and a line here.
import { metaRoutes } from './exchange/meta.ts'
import type { Api } from './http/typed.ts'

export function exchangeRoutes(api: Api): void {
  metaRoutes(api)
}
