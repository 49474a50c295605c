import { setImmediate } from "node:timers/promises";
import { type Transport, TransportFailure } from "../../src/client/transport/transport.ts";
import { runHere, testApp } from "../helpers/cli.ts";
import { steppedClock } from "../helpers/stepped-clock.ts";

test("a command other than a list ends after two minutes without a response", async () => {
  const clock = steppedClock();
  const hanging: Transport = async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    throw new TransportFailure("timeout", "no response in time", { sent: true });
  };
  const made = testApp({ service: hanging, clock });
  let isOver = false;
  const ended = runHere(made, ["relayers", "balance", "r1", "--timeout", "1h"]).finally(() => {
    isOver = true;
  });
  while (made.requests.length < 1) await setImmediate();
  await clock.pass(119_999);
  expect(isOver).toBe(false);
  await clock.pass(1);
  while (!isOver) await setImmediate();
  expect(await ended).toMatchObject({ exitCode: 10 });
});
