/** The part of esbuild's description of a build that we read: each module with its imports, paths from the root. */
export interface Metafile {
  inputs: Record<string, { imports: { path: string; external?: boolean }[] }>
}
/** @returns when the modules are written; throws the errors of esbuild */
export function compileModules(
  root: string,
  entries: readonly string[],
  folder: string,
): Promise<{ metafile: Metafile }>
export function compileProgram(root: string, folder: string): Promise<{ metafile: Metafile }>
