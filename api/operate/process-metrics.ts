// Memory, processor time and event loop of this process: the usual `process_*` and `nodejs_*` metrics. For a process that
// serves the API alone; an indexer's metrics have them already.
import { collectDefaultMetrics, Registry } from 'prom-client'

export function processMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}
