/** @param folder  of the builds, one folder each */
export function removeOldBuilds(folder: string): void
