// Starts the thread from its TypeScript source: threads do not take over the compiler of the process.
import { register } from 'tsx/esm/api'

register()
await import('./verifier-thread.ts')
