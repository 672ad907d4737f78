// Starts the thread from its TypeScript source: threads do not inherit the process's TypeScript loader.
import { register } from 'tsx/esm/api'

register()
await import('./rows-thread.ts')
