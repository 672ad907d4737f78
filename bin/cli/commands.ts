// The commands, one line each. In a separate file, so that the list can be printed without loading the commands.

export const COMMANDS: Readonly<Record<string, string>> = {
  run: 'index the chains and serve the API, in one process',
  index: 'index the chains, without the API',
  api: 'serve the API from a database that is indexed elsewhere',
  cosign: 'sign transactions whose CPU the exchange pays',
  demo: 'index and serve two simulated chains, with nothing to set up',
  replay: 'index a recording into the database',
  record: 'record blocks of a state-history node into a file that `replay` reads',
  logs: 'check the logs of a node on disk against everything that their chain commits to',
  snapshot: 'check a snapshot of a node, from which a chain can start',
  migrate: 'bring the database to the schema of this program',
  check: 'check configuration, database, nodes, ABIs and the key of the cosigner',
  status: 'show how far each chain is indexed',
  verify: 'recompute derived data and current state, compare, print a digest',
  compare: 'find the first block in which two databases of a chain differ',
  rewind: 'take a chain back to a block, to be indexed again from there',
  finality: 'begin the proofs of a chain in its middle, or pass on where another database can begin them',
  export: 'write rows of a view to a CSV or Parquet file',
  publish: 'append irreversible rows to final_log, from where replicas have them',
  service: 'print or write the systemd units of a server',
  config: 'print the configuration in force, with the origin of each value',
}
