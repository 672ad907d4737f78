// Log interface of the API. The program passes its own log.
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

export const SILENT: Log = { info() {}, warn() {}, error() {} }
