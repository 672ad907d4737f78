/** Node's option of short processes: code is optimized later, because most of them end before it pays off. */
export const LATER_OPTIMIZATION = '--interrupt-budget=600000'
