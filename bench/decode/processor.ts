/** Milliseconds of CPU time of this process, including garbage collection. Other load on the machine does not count. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
