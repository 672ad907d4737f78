/** The part of esbuild's metafile that is used here: each module with its imports, paths relative to the root. */
export interface Metafile {
  inputs: Record<string, { imports: { path: string; external?: boolean }[] }>
}
/** @returns when the modules are written; rejects with esbuild's errors */
export function compileModules(
  root: string,
  entries: readonly string[],
  folder: string,
): Promise<{ metafile: Metafile }>
export function compileProgram(root: string, folder: string): Promise<{ metafile: Metafile }>
