// Translates positions in compiled modules, in the output of a failed test, to positions in the TypeScript sources. Node
// could do that in each process, but reading the source maps takes a test 0.15 s of processor time.
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'

/** A frame of a stack trace, such as `file:///…/match.test.mjs:10:5`. */
const FRAME = /(?:file:\/\/)?([^\s():]+\.mjs):(\d+):(\d+)/g
/** The position of a failed assertion, as tap prints it. */
const PLACE = /(fileName: )(\S+\.mjs)(\n\s+lineNumber: )(\d+)(\n\s+columnNumber: )(\d+)/g

interface Position {
  file: string
  line: number
  column: number
}

export class SourcePositions {
  private readonly root: string
  private readonly maps = new Map<string, SourceMap | null>()

  /** @param root  folder that paths are relative to, in the output and in the result */
  constructor(root: string) {
    this.root = root
  }

  /** The text with the positions of sources. Positions in modules without a source map stay. */
  translate(text: string): string {
    return text
      .replace(FRAME, (all, file: string, line: string, column: string) => {
        const found = this.find(file, Number(line), Number(column))
        return found === null ? all : `${found.file}:${found.line}:${found.column}`
      })
      .replace(PLACE, (all, ...[name, file, before, line, between, column]: string[]) => {
        const found = this.find(file ?? '', Number(line), Number(column))
        return found === null ? all : `${name}${found.file}${before}${found.line}${between}${found.column}`
      })
  }

  private find(file: string, line: number, column: number): Position | null {
    const path = resolve(this.root, file)
    const entry = this.mapOf(path)?.findEntry(line - 1, column - 1)
    if (entry === undefined || !('originalSource' in entry)) return null
    const source = relative(this.root, resolve(dirname(path), entry.originalSource))
    return { file: source, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
  }

  private mapOf(path: string): SourceMap | null {
    let map = this.maps.get(path)
    if (map === undefined) {
      const file = `${path}.map`
      map = existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : null
      this.maps.set(path, map)
    }
    return map
  }
}
