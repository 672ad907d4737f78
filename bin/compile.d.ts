/** @returns when the modules are written; throws what esbuild has to say of a source that it cannot compile */
export function compileModules(root: string, entries: readonly string[], folder: string): Promise<unknown>
export function compileProgram(root: string, folder: string): Promise<unknown>
