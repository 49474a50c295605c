import { expect, test } from "vitest";
import type { TokenRead } from "../../../src/config/token/printed-token.ts";
import { createRenewal } from "../../../src/config/token/renewal.ts";

function worldOf(first: TokenRead, ...next: (TokenRead | Error)[]) {
  let now = 0;
  let readings = 0;
  const read = async () => {
    readings++;
    const found = next.shift();
    if (found === undefined || found instanceof Error) throw found ?? new Error("no further token");
    return found;
  };
  const token = createRenewal(first, read, { now: () => now });
  return {
    readings: () => readings,
    async at(time: number): Promise<string> {
      now = time;
      return await token();
    },
    token,
  };
}

test("keeps a token until five seconds before it expires", async () => {
  const world = worldOf({ token: "one", expiresAt: 60_000 }, { token: "two", expiresAt: 120_000 });
  expect(await world.at(54_999)).toBe("one");
  expect(await world.at(55_000)).toBe("two");
  expect(await world.at(114_999)).toBe("two");
  expect(world.readings()).toBe(1);
});

test("keeps a token that expires soon for half of its time", async () => {
  const world = worldOf({ token: "one", expiresAt: 2_000 }, { token: "two", expiresAt: 3_000 });
  expect(await world.at(999)).toBe("one");
  expect(await world.at(1_000)).toBe("two");
  expect(await world.at(1_999)).toBe("two");
  expect(world.readings()).toBe(1);
});

test("keeps a token that does not expire for good", async () => {
  const world = worldOf({ token: "one", expiresAt: 10_000 }, { token: "two" });
  expect(await world.at(10_000)).toBe("two");
  expect(await world.at(1e15)).toBe("two");
  expect(world.readings()).toBe(1);
});

test("reads once for requests at the same time", async () => {
  const world = worldOf({ token: "one", expiresAt: 0 }, { token: "two", expiresAt: 60_000 });
  expect(await Promise.all([world.token(), world.token(), world.token()])).toEqual(["two", "two", "two"]);
  expect(world.readings()).toBe(1);
});

test("reads again after a failure", async () => {
  const world = worldOf({ token: "one", expiresAt: 0 }, new Error("locked"), { token: "two", expiresAt: 60_000 });
  await expect(world.at(1)).rejects.toThrow("locked");
  expect(await world.at(2)).toBe("two");
});
