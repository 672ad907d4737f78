import type { Plugin } from 'esbuild'

/** The part of esbuild's metafile that is used here: each module with its imports, paths relative to the root. */
export interface Metafile {
  inputs: Record<string, { imports: { path: string; external?: boolean }[] }>
}
/** Packages to compile in, and dependencies of theirs that are imported from node_modules. */
export interface Packages {
  inside: readonly string[]
  outside: readonly string[]
}
export interface CompileOptions {
  /** Default: none is compiled in. */
  packages?: Packages
  /** Further steps of the compilation. */
  plugins?: Plugin[]
  /** Absolute folder of the compiled modules of THREADS. Default: threads start from their sources. */
  threads?: string
}
/** Modules of threads, relative to the root. */
export const THREADS: readonly string[]
/** @returns when the modules are written; rejects with esbuild's errors */
export function compileModules(
  root: string,
  entries: readonly string[],
  folder: string,
  options?: CompileOptions,
): Promise<{ metafile: Metafile }>
export function compileProgram(root: string, draft: string, folder: string): Promise<void>
