// Ends the time for an attempt at SIGUSR2, and never by the clock of the machine.
const { setTimeout, clearTimeout } = globalThis;
const YEARS = 2 ** 31 - 1;
/** How often what was sent may be read before the time is up. */
const TURNS = 20;
const attempts = new Map();
/** Milliseconds for an attempt. */
const most = Number(process.env.ATTEMPT ?? 20_000);

globalThis.setTimeout = (act, milliseconds, ...rest) => {
  // What is left of it once the program has started, and no other wait.
  if (!(milliseconds > most / 2 && milliseconds <= most)) return setTimeout(act, milliseconds, ...rest);
  const timer = setTimeout(act, YEARS);
  attempts.set(timer, act);
  return timer;
};

globalThis.clearTimeout = (timer) => {
  attempts.delete(timer);
  clearTimeout(timer);
};

process.on("SIGUSR2", async () => {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
  for (const [timer, act] of attempts) {
    globalThis.clearTimeout(timer);
    act();
  }
});
