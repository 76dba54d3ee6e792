/** Preloaded into a process under test: its clock is off by CLOCK_SHIFT_MS. */
const shift = Number(process.env.CLOCK_SHIFT_MS ?? '0')
const RealDate = Date
const realNow = Date.now

class ShiftedDate extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    if (args.length === 0) super(realNow() + shift)
    else super(...args)
  }
}
ShiftedDate.now = () => realNow() + shift
globalThis.Date = ShiftedDate as DateConstructor
