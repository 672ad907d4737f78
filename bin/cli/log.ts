// Log lines on standard error: JSON; on a terminal one readable line each, above the progress display.
import { pino } from 'pino'
import { maskUrls } from '../support/mask.ts'

type Fields = Record<string, unknown>

export interface Log {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

export interface Terminal {
  /** Text that stays below the log lines; an empty text removes it. */
  setFooter(text: string): void
}

/** @param level  minimum severity that is printed */
export function createLog(level: string): Log & { terminal: Terminal | undefined } {
  return process.stderr.isTTY ? terminalLog(level) : jsonLog(level)
}

function jsonLog(level: string): Log & { terminal: undefined } {
  const logger = pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
  const line =
    (kind: 'info' | 'warn' | 'error') =>
    (message: string, fields: Fields = {}) =>
      logger[kind](masked(fields), maskUrls(message))
  return { info: line('info'), warn: line('warn'), error: line('error'), terminal: undefined }
}

function terminalLog(level: string): Log & { terminal: Terminal } {
  let footer = ''
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'silent']
  // Moves up to the footer's first line and clears everything below.
  const clear = () => (footer === '' ? '' : `\x1b[${footer.split('\n').length}A\x1b[J`)
  const line =
    (kind: string) =>
    (message: string, fields: Fields = {}) => {
      if (levels.indexOf(kind) < levels.indexOf(level)) return
      const rest = Object.entries(masked(fields)).map(
        ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      )
      const text = `${new Date().toISOString().slice(11, 19)} ${kind === 'info' ? '' : `${kind} `}${maskUrls(message)}${rest.join('')}`
      process.stderr.write(`${clear()}${text}\n${footer === '' ? '' : `${footer}\n`}`)
    }
  const setFooter = (text: string) => {
    process.stderr.write(`${clear()}${text === '' ? '' : `${text}\n`}`)
    footer = text
  }
  return { info: line('info'), warn: line('warn'), error: line('error'), terminal: { setFooter } }
}

/** Addresses may have a login, or a key in their path. */
function masked(fields: Fields): Fields {
  const of = (value: unknown): unknown =>
    typeof value === 'string' ? maskUrls(value) : Array.isArray(value) ? value.map(of) : value
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, of(value)]))
}
