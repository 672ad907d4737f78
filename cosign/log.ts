// Log interface of the cosigner. Fields never contain keys or signatures.
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

export const SILENT: Log = { info() {}, warn() {}, error() {} }
