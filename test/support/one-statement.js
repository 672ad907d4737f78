// Loaded before each test file and by all its child processes: fails a process that sends a statement on a connection on
// which another one already waits. The driver will no longer hold such statements back.
process.on('warning', (warning) => {
  if (warning.message.includes('already executing a query')) throw warning
})
