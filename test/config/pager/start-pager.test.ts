import { expect, test } from "vitest";
import { startPager } from "../../../src/config/pager/start-pager.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";

const started = (reason: string) =>
  startPager({
    env: { PAGER: "true", PATH: "/usr/bin:/bin" },
    interrupt: AbortSignal.abort(reason),
    clock: steppedClock(),
    lendTerminal: (use) => use(),
  });

test.each(["terminated", "hung_up"])("no pager opens for the result of a process that is %s", async (reason) => {
  expect(await started(reason)).toBeUndefined();
});
