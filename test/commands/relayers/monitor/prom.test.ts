import { WEI } from "../../../../src/contract/amount.ts";
import { RelayctlError } from "../../../../src/errors.ts";
import { promText } from "../../../../src/views/relayer-status/prom-text.ts";
import { cli, ends, exits, says } from "../../../helpers/cli.ts";
import { refusal, success, wholeList } from "../../../helpers/service/reply.ts";
import { samplesIn } from "./exposition.ts";

const RELAYER = { id: "r1", network: "mainnet", state: "active", isPaused: false, coin: WEI } as const;
const valuesOf = (text: string, name: string) =>
  Object.fromEntries(
    samplesIn(text)
      .filter((sample) => sample.name === `relayctl_${name}`)
      .map(({ labels, value }) => [labels.state ?? labels.relayer ?? labels.context, value]),
  );

describe("metrics of relayers", () => {
  test("are exact integers in the smallest unit", () => {
    const text = promText(
      {
        relayers: [
          {
            ...RELAYER,
            balance: 340282366920938463463374607431768211455n,
            minBalance: 5n,
            runway: { seconds: 90n, spent: 1n, span: 1 },
            drift: -2n,
            pending: 3n,
            oldest: 60,
          },
        ],
        failures: new Map(),
      },
      { context: "prod" },
    );
    expect(text.match(/^relayctl_\w+\{.*$/gm)).toEqual([
      'relayctl_build_info{version="0.1.0"} 1',
      'relayctl_relayer_balance{context="prod",relayer="r1",network="mainnet",coin="",unit="wei"} 340282366920938463463374607431768211455',
      'relayctl_relayer_min_balance{context="prod",relayer="r1",network="mainnet",coin="",unit="wei"} 5',
      'relayctl_relayer_runway_seconds{context="prod",relayer="r1",network="mainnet"} 90',
      'relayctl_relayer_nonce_drift{context="prod",relayer="r1",network="mainnet"} -2',
      'relayctl_relayer_pending{context="prod",relayer="r1",network="mainnet"} 3',
      'relayctl_relayer_oldest_pending_seconds{context="prod",relayer="r1",network="mainnet"} 60',
      'relayctl_relayer_state{context="prod",relayer="r1",network="mainnet",state="disabled"} 0',
      'relayctl_relayer_state{context="prod",relayer="r1",network="mainnet",state="paused"} 0',
      'relayctl_relayer_state{context="prod",relayer="r1",network="mainnet",state="active"} 1',
      'relayctl_scrape_success{context="prod"} 1',
    ]);
    expect(samplesIn(text)).toHaveLength(11);
  });

  test("are left out if they are not known", () => {
    const text = promText(
      { relayers: [RELAYER], failures: new Map([["r1", new RelayctlError("server", "no node")]]) },
      { context: "prod" },
    );
    expect(new Set(samplesIn(text).map(({ name }) => name))).toEqual(
      new Set(["relayctl_build_info", "relayctl_relayer_state", "relayctl_scrape_success"]),
    );
    expect(valuesOf(text, "scrape_success")).toEqual({ prod: "0" });
    expect(samplesIn(promText(undefined, { context: "prod" }))).toHaveLength(2);
  });

  test("have no end of the runway if nothing was spent", () => {
    const runway = { seconds: undefined, spent: 0n, span: 1 };
    const text = promText({ relayers: [{ ...RELAYER, runway }], failures: new Map() }, { context: "prod" });
    expect(valuesOf(text, "relayer_runway_seconds")).toEqual({ r1: "+Inf" });
  });

  test.each(['a"b', "a\\b", "a\nb", "a\\nb", '",relayer="other'])("escape the name %j", (name) => {
    const text = promText(
      { relayers: [{ ...RELAYER, id: name, network: name }], failures: new Map() },
      { context: name },
    );
    expect(samplesIn(text)[1]?.labels).toMatchObject({ context: name, relayer: name, network: name });
  });
});

describe("relayers status -o prom", () => {
  test("prints the metrics of the demo's fleet", async () => {
    const ran = await ends({ exitCode: 0, stderr: "" }, "relayers status -o prom");
    expect(valuesOf(ran.stdout, "relayer_balance")).toMatchObject({
      "eth-main-1": "1500000000000000000",
      "sol-pay": "30000000",
    });
    expect(valuesOf(ran.stdout, "relayer_min_balance")).toMatchObject({ "eth-main-2": "500000000000000000" });
    expect(valuesOf(ran.stdout, "relayer_pending")).toMatchObject({ "eth-main-1": "5", "base-hot": "0" });
    expect(Number(valuesOf(ran.stdout, "relayer_oldest_pending_seconds")["eth-main-1"])).toBeGreaterThan(3_600);
    expect(valuesOf(ran.stdout, "relayer_oldest_pending_seconds")["base-hot"]).toBe("0");
    expect(valuesOf(ran.stdout, "relayer_nonce_drift")).toHaveProperty("eth-main-1");
    expect(ran.writes).toEqual([]);
  });

  test("selects relayers by ID and condition", async () => {
    const ran = await cli("relayers status eth-main-1 base-hot -o prom --where relayer.network=base");
    expect(Object.keys(valuesOf(ran.stdout, "relayer_balance"))).toEqual(["base-hot"]);
  });

  test("shows that values are missing, and reports why", async () => {
    const ran = await exits(9, "relayers status r1 -o prom", {
      service: async ({ target }) => {
        if (target.includes("/status")) return refusal(500, "no node");
        return target.includes("/transactions") ? success([]) : wholeList([{ id: "r1" }]);
      },
    });
    expect(ran.stderr).toContain("status of r1 not known: no node");
    expect(valuesOf(ran.stdout, "scrape_success")).toEqual({ "http://127.0.0.1:8080": "0" });
  });

  test.each([
    ["relayers list -o prom", "-o prom: is a format of `relayctl relayers status` only"],
    ["relayers status -o prom --fields oldest", "--fields: cannot be combined with -o prom"],
    ["relayers status -o prom --check", "--check: cannot be combined with -o prom"],
    ["relayers status -o prom --watch 5s", "--watch: cannot be combined with -o prom"],
  ])("%s is rejected before any request", (line, words) => says({ exitCode: 2, requests: [] }, line, words));
});
