import type { App } from "../../../src/app.ts";
import { cli, exited, type World } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { refusal } from "../../helpers/service/reply.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import { samplesIn } from "../relayers/monitor/exposition.ts";
import { openRules, type Rules, whyNot } from "./evaluated-rules.ts";

/** What an exporter served for so many minutes; nothing while it was not there. */
type Phase = readonly [minutes: number, text: string | undefined];

/** A service with an incident, and the exporter that is scraped meanwhile. */
function incident(relayer: string) {
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  const store = demoStore();
  const service = testServer({ store, clock });
  const world: World = { clock, interrupt, service, journal: memoryJournal() };
  const scrape = async (more: World = {}): Promise<string> => {
    let text = "";
    const receive: App["receive"] = async ({ respond }) => {
      const headers = { host: "127.0.0.1:9464" };
      // A scrape does not wait on this clock: the second one has what the first one read.
      for (let time = 0; time < 2; time++) {
        ({ text } = await respond({ method: "GET", target: "/metrics", headers, body: new Uint8Array() }));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await cli(`relayers status ${relayer} --listen 9464 --retries 0`, { ...world, ...more, receive });
    return text;
  };
  return { clock, store, scrape, run: (line: string) => cli(line, world) };
}

/** Returns the series of all samples, of one minute each; a sample that ends is stale, as after a scrape without it. */
function seriesIn(phases: readonly Phase[]): Record<string, string>[] {
  const found = new Map<string, string[]>();
  let minute = 0;
  for (const [minutes, text] of phases) {
    const samples = text === undefined ? [] : samplesIn(text);
    const values = new Map(
      samples.map(({ name, labels, value }) => {
        const pairs = Object.entries(labels).map(([label, of]) => `${label}=${JSON.stringify(of)}`);
        return [`${name}{${pairs.join(",")}}`, value.replace("+", "")];
      }),
    );
    for (const name of new Set([...found.keys(), ...values.keys()])) {
      const before = found.get(name) ?? Array(minute).fill("_");
      const value = values.get(name);
      const gap = before.at(-1) === "_" || before.length === 0 ? "_" : "stale";
      const more = value === undefined ? [gap, ...Array(minutes - 1).fill("_")] : Array(minutes).fill(value);
      found.set(name, [...before, ...more]);
    }
    minute += minutes;
  }
  return [...found].map(([series, values]) => ({ series, values: values.join(" ") }));
}

describe.skipIf(whyNot !== "")(`incidents of the embedded server${whyNot}`, () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  const holdTo = (phases: readonly Phase[], expected: Readonly<Record<number, readonly string[]>>) => {
    for (const [minute, firing] of Object.entries(expected))
      expect(rules.evaluate(seriesIn(phases), firing, [Number(minute)]), `at minute ${minute}`).toContain("SUCCESS");
  };

  // The record of nonce 5 stays submitted although the chain used the nonce, and the payments left the balance.
  test("a jam fires until it is freed, also while the exporter restarts", async () => {
    const { scrape, run } = incident("eth-main-1");
    const jammed = await scrape();
    await exited(0, run("relayers unstick eth-main-1 --yes"));
    const phases: Phase[] = [
      [20, jammed],
      [2, undefined],
      [20, jammed],
      [40, await scrape()],
    ];
    holdTo(phases, {
      15: ["RelayerJammed"],
      21: ["RelayerJammed"],
      35: ["RelayerJammed"],
      60: ["RelayerSlow", "RelayerRunwayShort"],
    });
  });

  test("a disabled relayer fires until it is enabled", async () => {
    const { scrape, store } = incident("eth-sepolia");
    const disabled = await scrape();
    await store.change((state) => {
      const relayer = state.relayers.get("eth-sepolia");
      if (relayer) state.relayers.put({ ...relayer, system_disabled: false, disabled_reason: null });
    });
    holdTo(
      [
        [20, disabled],
        [30, await scrape()],
      ],
      { 3: [], 15: ["RelayerStopped"], 40: [] },
    );
  });

  test("a low balance fires", async () => {
    const { scrape } = incident("xlm-pay");
    holdTo([[20, await scrape()]], { 15: ["RelayerStopped", "RelayerBalanceLow"] });
  });

  test("an outage of the service fires, and so does one of the exporter", async () => {
    const { scrape } = incident("base-hot");
    const healthy = await scrape();
    const away = await scrape({ service: async () => refusal(503, "away") });
    holdTo(
      [
        [20, healthy],
        [20, away],
        [30, healthy],
      ],
      { 15: [], 25: [], 35: ["RelayctlBlind"], 60: [] },
    );
    holdTo(
      [
        [20, healthy],
        [20, undefined],
        [30, healthy],
      ],
      { 25: [], 35: ["RelayctlBlind"], 60: [] },
    );
  });

  test("an hour of traffic with restarts of the exporter fires nothing", async () => {
    const { scrape, run, clock } = incident("base-hot");
    const phases: Phase[] = [];
    for (let turn = 0; turn < 6; turn++) {
      phases.push([8, await scrape()], [2, undefined]);
      const sent = await run(
        "tx send base-hot --to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 --value 1gwei --speed fast --yes",
      );
      expect(sent.exitCode, sent.stderr).toBe(0);
      phases.push([1, await scrape()]);
      await clock.sleep(600_000);
    }
    for (const minute of [9, 12, 25, 40, 55, 65]) holdTo(phases, { [minute]: [] });
  });
});
