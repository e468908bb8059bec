// Loaded before a program under test: its machine's clock differs from the real one by `CLOCK_AHEAD` milliseconds.
const real = Date.now
const ahead = Number(process.env.CLOCK_AHEAD)
const machine = (): number => real() + ahead
const MachineDate = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [machine()] : given, newTarget),
  apply: () => new Date(machine()).toString(),
})
Date.prototype.constructor = MachineDate
globalThis.Date = MachineDate
Date.now = machine
