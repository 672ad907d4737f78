// A moment that knows its unit. `time_point_sec` is decoded to one, and columns with times take nothing else: a bare
// number could be seconds or milliseconds.

export class TimePoint {
  /** Unix milliseconds. */
  readonly ms: number

  private constructor(ms: number) {
    this.ms = ms
  }

  /** @param seconds  Unix seconds, as of a `uint32` that holds a time */
  static ofSeconds(seconds: number): TimePoint {
    return new TimePoint(seconds * 1000)
  }

  /** @param ms  Unix milliseconds */
  static ofMs(ms: number): TimePoint {
    return new TimePoint(ms)
  }

  /** @param microseconds  Unix microseconds, as of a `time_point`; rounded down to milliseconds */
  static ofMicroseconds(microseconds: bigint): TimePoint {
    return new TimePoint(Number(microseconds / 1000n))
  }

  /** Whole Unix seconds, rounded down. */
  get seconds(): number {
    return Math.floor(this.ms / 1000)
  }
}
