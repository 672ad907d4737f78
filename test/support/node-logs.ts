// Unpacks files of a real node (Spring 1.2.2) for a test: see test/fixtures/node/README.md.
import { execFileSync } from 'node:child_process'
import { temporaryFolder } from './temporary-folder.ts'

const fixtures = new URL('../fixtures/node/', import.meta.url).pathname

/** The used part of a tap test. */
interface Test {
  teardown(work: () => unknown): unknown
}

export type NodeFiles = 'forks' | 'partitions' | 'pruned' | 'snapshot'

/** Unpacks the files of a node. @returns its data folder */
export function unpackNode(t: Test, name: NodeFiles): string {
  const folder = temporaryFolder(t)
  execFileSync('tar', ['--sparse', '-xzf', `${fixtures}${name}.tar.gz`, '-C', folder])
  return folder
}
