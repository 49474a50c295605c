import { setImmediate } from "node:timers/promises";
import { type Transport, TransportFailure } from "../../src/client/transport/transport.ts";
import { runHere, SERVER, testApp } from "../helpers/cli.ts";
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

test.each([
  "relayers list --token-file tok",
  "relayers list --token-file -",
  "relayers update evm-1 --yes -f body.json",
  "relayers update evm-1 --yes -f -",
  "plan -f fleet.json",
])("a file that never ends is read until the deadline: %s", async (words) => {
  const clock = steppedClock();
  const made = testApp({ clock });
  const read = () => new Promise<never>(() => {});
  const app = { ...made.app, stdin: { isTerminal: false, read }, files: { ...made.app.files, read } };
  const line = `${words} --server ${SERVER} --deadline 40s`;
  const ended = runHere({ ...made, app }, line.split(" "));
  await clock.pass(40_000);
  const ran = await Promise.race([ended, setImmediate("still running")]);
  expect(ran).toMatchObject({ exitCode: 10 });
  expect(made.requests).toEqual([]);
  expect(ran).toMatchObject({ stderr: expect.stringContaining("had not ended when the deadline passed") });
});
