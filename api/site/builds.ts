// Runs esbuild. Its process stops after the last of the builds that run at the same time.
import * as esbuild from 'esbuild'

let running = 0

/** Like `esbuild.build`. @throws the errors of esbuild */
export async function build<T extends esbuild.BuildOptions>(
  options: esbuild.SameShape<esbuild.BuildOptions, T>,
): Promise<esbuild.BuildResult<T>> {
  running++
  try {
    return await esbuild.build<T>(options)
  } finally {
    // Otherwise esbuild's process keeps running.
    if (--running === 0) await esbuild.stop()
  }
}
