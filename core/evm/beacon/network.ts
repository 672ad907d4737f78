// Parameters of a beacon chain that a light client needs. Source: consensus-specs, configs/mainnet.yaml.
import { itemAt } from '../../required.ts'

export interface BeaconFork {
  /** First epoch. */
  epoch: number
  /** 4 bytes, hex digits. */
  version: string
}

export interface BeaconNetwork {
  /** Unix seconds of slot 0. */
  genesisTime: number
  /** 64 hex digits. */
  genesisValidatorsRoot: string
  secondsPerSlot: number
  slotsPerEpoch: number
  /** Slots of a sync committee period. */
  slotsPerPeriod: number
  /** Keys of a sync committee. */
  committeeSize: number
  /** Ascending; the first starts at epoch 0. */
  forks: readonly BeaconFork[]
  /** First epoch with Electra's wider state layout; above any real epoch if there is none. */
  electraEpoch: number
}

export const ETHEREUM: BeaconNetwork = {
  genesisTime: 1_606_824_023,
  genesisValidatorsRoot: '4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95',
  secondsPerSlot: 12,
  slotsPerEpoch: 32,
  slotsPerPeriod: 8192,
  committeeSize: 512,
  forks: [
    { epoch: 0, version: '00000000' },
    { epoch: 74_240, version: '01000000' },
    { epoch: 144_896, version: '02000000' },
    { epoch: 194_048, version: '03000000' },
    { epoch: 269_568, version: '04000000' },
    { epoch: 364_032, version: '05000000' },
    { epoch: 411_392, version: '06000000' },
  ],
  electraEpoch: 364_032,
}

/** The sync committee period that contains a slot. */
export function periodOf({ slotsPerPeriod }: BeaconNetwork, slot: bigint): number {
  return Number(slot / BigInt(slotsPerPeriod))
}

/** The last slot that starts at or before a time; 0 before genesis. @param time  Unix seconds */
export function slotAt({ genesisTime, secondsPerSlot }: BeaconNetwork, time: number): bigint {
  return BigInt(Math.max(0, Math.floor((time - genesisTime) / secondsPerSlot)))
}

/** Fork version of a slot: 4 bytes, hex digits. */
export function forkVersionAt({ forks, slotsPerEpoch }: BeaconNetwork, slot: bigint): string {
  const epoch = Number(slot / BigInt(slotsPerEpoch))
  return (forks.findLast((fork) => fork.epoch <= epoch) ?? itemAt(forks, 0)).version
}
