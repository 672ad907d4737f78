// Describes the machine of a measurement.
import os from 'node:os'

export function hardware(): string {
  const cpu = os.cpus()[0]?.model.trim() ?? 'unknown processor'
  const memory = Math.round(os.totalmem() / 2 ** 30)
  return `${os.cpus().length} x ${cpu}, ${memory} GiB, Node ${process.versions.node}, load ${os.loadavg()[0]?.toFixed(1)}`
}
