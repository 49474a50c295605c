import { attemptConfirmation } from "../../../src/client/attempt/send.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { testClientContext } from "../../helpers/test-link.ts";

test("a connection is watched for 50 ms after a refusal", async () => {
  const clock = steppedClock();
  const unused = () => Promise.reject(new Error("nothing is sent or classified"));
  const confirmation = attemptConfirmation(testClientContext(unused, { clock }), unused as never);
  let isOver = false;
  void confirmation.linger(new AbortController().signal).then(() => {
    isOver = true;
  });
  await clock.pass(49);
  expect(isOver).toBe(false);
  await clock.pass(1);
  expect(isOver).toBe(true);
});
