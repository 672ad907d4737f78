// Stores the state read from a node until it is written, so that it is not read again after a failed write.
import type { Projector } from '../project/projector.ts'
import { type BootstrapOptions, bootstrap } from './bootstrap.ts'
import type { Origin } from './origin.ts'

export class OriginReader {
  private readonly options: Omit<BootstrapOptions, 'projector'>
  private origin: Origin | null = null

  constructor(options: Omit<BootstrapOptions, 'projector'>) {
    this.options = options
  }

  /** @returns the state, or null when the signal was aborted @throws as `bootstrap` */
  async read(projector: Projector): Promise<Origin | null> {
    this.origin ??= await bootstrap({ ...this.options, projector })
    return this.origin
  }

  /** Drops the state; the next `read` reads it again. */
  close(): void {
    this.origin?.close()
    this.origin = null
  }
}
