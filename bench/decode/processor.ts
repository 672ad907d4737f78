/**
 * Milliseconds that this process has spent on processors, its collector of garbage included: what others do on the
 * machine meanwhile does not count.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
