/** A script that stops the clock of a page. @param now  Unix milliseconds */
export const held = (now: number) => `(() => {
  const Real = Date
  window.Date = class extends Real {
    constructor(...parts) { parts.length === 0 ? super(${now}) : super(...parts) }
    static now() { return ${now} }
  }
})()`
