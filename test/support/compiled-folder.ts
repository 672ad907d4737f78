/** Environment variable: the folder of the modules that `npm test` has compiled. Unset outside `npm test`. */
export const COMPILED_VARIABLE = 'HEADWATER_TEST_COMPILED'
