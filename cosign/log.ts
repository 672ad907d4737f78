// What the cosigner tells its operator. Keys and signatures are never among the fields.
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

export const SILENT: Log = { info() {}, warn() {}, error() {} }
