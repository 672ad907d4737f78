// A part of a simulation in its own thread.

import { parentPort, workerData } from 'node:worker_threads'
import { type PartTask, playPart } from './simulation-part.ts'

await playPart(workerData as PartTask, (message) => parentPort?.postMessage(message))
