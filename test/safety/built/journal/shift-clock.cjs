// Moves the clock of this process by so many milliseconds.
const { CLOCK_SHIFT: shift } = process.env;
const { now } = Date;

globalThis.Date = class extends Date {
  constructor(...values) {
    super(...(values.length === 0 ? [now() + Number(shift)] : values));
  }

  static now() {
    return now() + Number(shift);
  }
};
