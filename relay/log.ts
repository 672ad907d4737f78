// Log interface of the relayer. Fields never contain keys; raw transactions are not logged either.
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

export const SILENT: Log = { info() {}, warn() {}, error() {} }
