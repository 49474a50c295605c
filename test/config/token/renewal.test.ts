import type { TokenRead } from "../../../src/config/token/printed-token.ts";
import { createRenewal } from "../../../src/config/token/renewal.ts";
import { RelayctlError } from "../../../src/errors.ts";

function worldOf(first: TokenRead, ...next: (TokenRead | Error)[]) {
  let now = 0;
  let readings = 0;
  const read = async () => {
    readings++;
    const found = next.shift();
    if (found === undefined || found instanceof Error) throw found ?? new Error("no further token");
    return found;
  };
  const noted: string[] = [];
  const renewed = createRenewal(first, read, { now: () => now }, async ({ message }) => void noted.push(message));
  const token = async () => (await renewed()).token;
  return {
    noted,
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

test("uses a token while it lasts if it cannot be read again, notes that once, and tries again halfway", async () => {
  const failure = new RelayctlError("auth", "locked");
  const world = worldOf({ token: "one", expiresAt: 60_000 }, failure, failure, { token: "two", expiresAt: 120_000 });
  expect(await world.at(55_000)).toBe("one");
  expect(await world.at(57_499)).toBe("one");
  expect([world.readings(), world.noted]).toEqual([1, ["locked"]]);
  expect(await world.at(57_500)).toBe("one");
  expect([world.readings(), world.noted]).toEqual([2, ["locked"]]);
  expect(await world.at(58_750)).toBe("two");
});

test("fails once the token has expired, and reads it again for the next request", async () => {
  const failure = new RelayctlError("auth", "locked");
  const world = worldOf({ token: "one", expiresAt: 60_000 }, failure, { token: "two", expiresAt: 120_000 });
  await expect(world.at(60_000)).rejects.toThrow("locked");
  expect(await world.at(60_001)).toBe("two");
});
