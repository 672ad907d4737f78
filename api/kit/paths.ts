/** The bridge API. */
export const BRIDGE_PATH = '/api/bridge/v1'
