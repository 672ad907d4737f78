// Starts a thread from its TypeScript source: threads do not inherit the process's compiler.
import { register } from 'tsx/esm/api'

register()
await import('./simulation-thread.ts')
