// Counters of a source, read by the metrics and the progress line.

/** Called on every anomaly. `kind` is a stable error code (`SHIP_GAP`), `detail` a sentence for the log. */
export type AnomalyListener = (kind: string, detail: string) => void

export class SourceStats {
  /** Frames received. */
  frames = 0
  /** Bytes of those frames. */
  bytes = 0
  /** Seconds the consumer waited for a frame. */
  waitSeconds = 0
  /** Bytes received and not yet taken by the consumer. */
  queueBytes = 0
  /** Connections opened after the first one. */
  reconnects = 0
  /** Anomalies by kind. */
  readonly anomalies = new Map<string, number>()
  readonly #listener: AnomalyListener | undefined

  constructor(listener?: AnomalyListener) {
    this.#listener = listener
  }

  /** Counts an anomaly and calls the listener. */
  anomaly(kind: string, detail: string): void {
    this.anomalies.set(kind, (this.anomalies.get(kind) ?? 0) + 1)
    this.#listener?.(kind, detail)
  }

  /** Awaits `promise`, adding the time to `waitSeconds`. */
  async waiting<T>(promise: Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await promise
    } finally {
      this.waitSeconds += (performance.now() - began) / 1000
    }
  }
}
