import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keptIds, keptText, removeOldIds } from "../../src/completion/kept-ids.ts";
import { type IdLookup, liveIds } from "../../src/completion/live-ids.ts";
import { IDS_LIFETIME } from "../../src/timing.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";
import { CANARY_TOKEN, secretsIn } from "../helpers/scan.ts";

describe("live IDs", () => {
  const ids = [{ word: "eth-main-1", summary: "mainnet, active" }];
  const RELAYERS: IdLookup = { kind: "relayer", relayer: "", target: [] };

  /** A world in which the process that reads IDs responds, or does not in time. */
  function world({ env = {}, answers = true }: { env?: Record<string, string>; answers?: boolean } = {}) {
    const folder = temporaryFolder();
    const asked: (readonly string[])[] = [];
    let now = 1_000_000;
    const config = join(folder, "config.json");
    return {
      asked,
      config,
      pass: (milliseconds: number) => {
        now += milliseconds;
      },
      live: {
        env,
        now: () => now,
        folder: () => join(folder, "completion"),
        config: () => config,
        async ask(argv: readonly string[], patience: number) {
          asked.push(argv);
          expect(patience).toBe(300);
          if (!answers) return;
          mkdirSync(join(folder, "completion"), { recursive: true });
          const name = argv[argv.indexOf("--") + 2] ?? "";
          const text = await keptText(ids, "salt", { now, token: env.RELAYCTL_TOKEN });
          writeFileSync(join(folder, "completion", name), text);
        },
      },
    };
  }

  test("asks the service once a minute", async () => {
    const { live, asked, pass } = world();
    expect(await liveIds(RELAYERS, live)).toEqual(ids);
    pass(IDS_LIFETIME - 1);
    expect(await liveIds(RELAYERS, live)).toEqual(ids);
    expect(asked).toHaveLength(1);
    pass(1);
    await liveIds(RELAYERS, live);
    expect(asked).toHaveLength(2);
  });

  test("offers nothing without an error if no response comes in time", async () =>
    expect(await liveIds(RELAYERS, world({ answers: false }).live)).toEqual([]));

  test("asks separately for each service, identity, kind, and relayer", async () => {
    const { live, asked, config } = world();
    const lookups: IdLookup[] = [
      RELAYERS,
      { ...RELAYERS, target: ["--demo"] },
      { ...RELAYERS, target: ["--context=prod"] },
      { ...RELAYERS, kind: "notification" },
      { ...RELAYERS, kind: "transaction", relayer: "eth-main-1" },
      { ...RELAYERS, kind: "transaction", relayer: "eth-main-2" },
    ];
    for (const lookup of lookups) await liveIds(lookup, live);
    await liveIds(RELAYERS, { ...live, env: { RELAYCTL_SERVER: "http://localhost:1" } });
    await liveIds(RELAYERS, { ...live, env: { RELAYCTL_TOKEN: "another" } });
    writeFileSync(config, "{}");
    await liveIds(RELAYERS, live);
    expect(asked).toHaveLength(lookups.length + 3);
  });

  test("passes the flags of the line, the limits, and the relayer to the process", async () => {
    const { live, asked } = world();
    await liveIds({ kind: "transaction", relayer: "-odd", target: ["--context=prod"] }, live);
    expect(asked[0]?.filter((word) => !/^[0-9a-f]{16}$/.test(word))).toEqual([
      "__ids",
      "--context=prod",
      "--timeout=5s",
      "--deadline=10s",
      "--retries=0",
      "--quiet",
      "--",
      "transaction",
      "-odd",
    ]);
  });

  test("does not put a URL with a password into the process list", async () => {
    const { live, asked } = world();
    expect(await liveIds({ ...RELAYERS, target: ["--proxy=http://user:password@proxy:3128"] }, live)).toEqual([]);
    expect(asked).toEqual([]);
  });

  test("does not ask or read the cache with RELAYCTL_NO_DYNAMIC_COMPLETION", async () => {
    const { live, asked } = world();
    await liveIds(RELAYERS, live);
    const env = { RELAYCTL_NO_DYNAMIC_COMPLETION: "1" };
    expect(await liveIds(RELAYERS, { ...live, env })).toEqual([]);
    expect(asked).toHaveLength(1);
  });
});

const ids = [{ word: "eth main", summary: "mainnet, active" }, { word: "base" }];
const now = Date.parse("2026-11-21T03:00:00Z");
const token = CANARY_TOKEN;
const text = await keptText(ids, "salt", { now, token });

test.each([0, 59_999])("IDs are reused after %i ms", async (age) =>
  expect(await keptIds(text, { now: now + age, token })).toEqual(ids),
);

test.each([60_000, -1])("IDs are not reused after %i ms, since a clock may have been set back", async (age) =>
  expect(await keptIds(text, { now: now + age, token })).toBeUndefined(),
);

test("IDs are hidden from another token, and the text contains no token", async () => {
  expect(await keptIds(text, { now, token: "another" })).toBeUndefined();
  expect(await keptIds(text, { now, token: undefined })).toBeUndefined();
  expect(secretsIn(text)).toEqual([]);
});

test("IDs need no token if none is in the environment", async () => {
  const plain = await keptText([], "salt", { now, token: undefined });
  expect(await keptIds(plain, { now, token: undefined })).toEqual([]);
});

test.each([undefined, "", "nonsense", "2\t1\tsalt\tmark\n", text.replace(/^1/, "0"), "\u0000".repeat(100)])(
  "%j is not a valid cache",
  async (text) => expect(await keptIds(text, { now, token })).toBeUndefined(),
);

test("removes files that were not renewed for an hour", async () => {
  const folder = temporaryFolder();
  const now = Date.parse("2026-11-22T12:00:00Z");
  for (const [name, age] of Object.entries({ old: 3_600_001, kept: 3_600_000 })) {
    writeFileSync(join(folder, name), "");
    utimesSync(join(folder, name), new Date(now - age), new Date(now - age));
  }
  await removeOldIds(folder, now);
  expect(readdirSync(folder)).toEqual(["kept"]);
});
