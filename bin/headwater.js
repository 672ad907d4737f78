#!/usr/bin/env -S node --max-semi-space-size=64 --v8-pool-size=1
// Starts the command line from its TypeScript source; tsx compiles it as it loads.
import { register } from 'tsx/esm/api'

register()
await import('./main.ts')
