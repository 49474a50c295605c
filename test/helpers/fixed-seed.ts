import fc from "fast-check";
import { DEEP, runs } from "./deep.ts";

/** Properties try the same values at every run, so that a failure is the fault of a change. `npm run test:deep` tries others each time. */
const seed = DEEP ? {} : { seed: 20_261_121 };
fc.configureGlobal({ ...fc.readConfigureGlobal(), ...seed, ...runs(20, 1_000) });

/** Fails the tests if a signal or an emitter gathers listeners that nothing removes. */
function failOnLeak(warning: Error): void {
  if (warning.name === "MaxListenersExceededWarning") throw warning;
}
// The tests of a worker share a process.
if (!process.listeners("warning").some(({ name }) => name === failOnLeak.name)) process.on("warning", failOnLeak);
