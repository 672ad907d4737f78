// The effective configuration: each setting with the origin of its value. Passwords are masked, and keys
// in place of paths of key files.
import { shownPath } from '../core/shown-path.ts'
import { chainSettings, programSettings, type Setting } from './environment.ts'
import { EvmChainSchema } from './evm-schema.ts'
import type { LoadedConfig } from './load.ts'

export interface DescribedSetting {
  /** `port`, or `wax.source.urls`. */
  path: string
  /** JSON; null when unset. */
  value: unknown
  /** A file, an environment variable, `command line` or `default`. */
  origin: string
  env: string
}

export function describeConfig({ config, origins }: LoadedConfig): DescribedSetting[] {
  const rows = (settings: Setting[], root: unknown, prefix: string): DescribedSetting[] =>
    settings.map(({ path, env, schema }) => {
      const name = prefix + path.join('.')
      const value = path.reduce<unknown>(
        (inner, member) => (inner as Record<string, unknown> | undefined)?.[member],
        root,
      )
      return {
        path: name,
        value:
          schema.isSecret && value
            ? '***'
            : mask(isKeyFile(env) && typeof value === 'string' ? shownPath(value) : (value ?? null)),
        origin: origins.get(name) ?? (value === undefined ? 'unset' : 'default'),
        env,
      }
    })
  const program = { ...config, chains: [...config.chains, ...config.evm].map(({ chain }) => chain) }
  return [
    ...rows(programSettings(), program, ''),
    ...config.chains.flatMap((chain) => rows(chainSettings(chain.chain), chain, `${chain.chain}.`)),
    ...config.evm.flatMap((chain) => rows(chainSettings(chain.chain, EvmChainSchema), chain, `${chain.chain}.`)),
  ]
}

const isKeyFile = (env: string): boolean => env.endsWith('_KEY_FILE')

/** Masks passwords in URLs, before the host and in the query, at any depth. */
export function mask(value: unknown): unknown {
  if (typeof value === 'string' && /^[a-z]+:\/\//.test(value))
    return value.replace(/^([a-z]+:\/\/[^:@/\s]*):[^@/\s]*@/, '$1:***@').replace(/([?&]password=)[^&#\s]*/g, '$1***')
  if (Array.isArray(value)) return value.map(mask)
  return value
}
