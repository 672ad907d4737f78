// A part of a world in its own thread.

import { parentPort, workerData } from 'node:worker_threads'
import { type PartTask, playPart } from './world-part.ts'

await playPart(workerData as PartTask, (message) => parentPort?.postMessage(message))
