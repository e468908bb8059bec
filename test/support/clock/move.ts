const native = Date.now
/** The machine's own clock, epoch ms, whatever `setSystemTime` of a test does to `Date.now`. */
const origin = native() - performance.now()
/** A test that sets the time of its process sets it further than this from the real one. */
const SET_MS = 1000

/** Moves this process's clock by the milliseconds that `ahead` says: Date.now() and new Date(), not timers and files. */
export function moveClock(ahead: () => number): void {
  function now(): number {
    const at = native()
    return Math.abs(at - origin - performance.now()) > SET_MS ? at : at + ahead()
  }
  const moved = new Proxy(Date, {
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
    apply: () => new Date(now()).toString(),
  })
  Date.prototype.constructor = moved
  globalThis.Date = moved
  Date.now = now
}
