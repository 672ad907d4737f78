// All scenes, in the order in which they are recorded: those of one place follow each other.
import { bridgeScenes } from './bridge-scenes.ts'
import { cosignerScenes } from './cosigner-scenes.ts'
import { longMarketScenes, marketScenes } from './market-scenes.ts'
import type { Scene } from './place.ts'

export const SCENES = [
  ...marketScenes,
  ...longMarketScenes,
  ...cosignerScenes,
  ...bridgeScenes,
] as unknown as readonly Scene[]
