import { type Transport, TransportFailure } from "../../../src/client/transport/transport.ts";
import type { WireRequest } from "../../../src/contract/wire.ts";
import { ClosedPipe } from "../../../src/terminal/streams/output.ts";
import { readWebhookRecord } from "../../../src/webhooks/record.ts";
import { exited } from "../../helpers/exited.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { FILES, listening, NEW, PORT, type Sender, signed, update } from "./listening.ts";

describe("forwarding", () => {
  const ORIGIN = "http://localhost:3000";
  const TARGET = `--forward ${ORIGIN}/hooks?a=1`;

  /** A target that responds with these statuses in turn, and all that it received. */
  function target(...outcomes: (number | TransportFailure)[]) {
    const requests: WireRequest[] = [];
    const transport: Transport = async (request) => {
      requests.push(request);
      const outcome = outcomes.shift() ?? 200;
      if (typeof outcome !== "number") throw outcome;
      return { status: outcome, headers: {}, body: new Uint8Array() };
    };
    return { requests, nodes: { [ORIGIN]: transport } };
  }

  test("sends the same bytes and headers on, and responds with the status of the target", async () => {
    const { requests, nodes } = target(202);
    const body = new TextEncoder().encode('{"id" : "é",\n "n":1.0 }');
    const ran = await listening(
      TARGET,
      ({ send }) =>
        send(body, { "x-signature": "s", "x-other": "o", host: "h", connection: "close", "content-length": "9" }),
      { nodes },
    );
    expect(requests).toEqual([
      {
        method: "POST",
        target: "/hooks?a=1",
        headers: { "content-type": "application/json", "x-signature": "s", "x-other": "o" },
        bytes: body,
      },
    ]);
    expect(ran.statuses).toEqual([202]);
    expect(ran.stderr).toMatch(/forwarded é: 202 in 0 ms\n/);
    expect(ran.stderr).toContain("  forwarded  1 accepted, 0 failed\n");
  });

  const sent = (reason: "connect" | "timeout", message: string) =>
    new TransportFailure(reason, message, { sent: false });

  test.each([
    [500, 500, "warning: e1 was refused by its target: 500 (0 ms)"],
    [404, 404, "warning: e1 was refused by its target: 404 (0 ms)"],
    [302, 502, "warning: e1 was refused by its target: 302, a redirect, which is not followed (0 ms)"],
    [
      sent("connect", "connection refused"),
      502,
      "warning: e1 was not accepted by its target: connection refused (0 ms)",
    ],
    [
      sent("timeout", "no complete response in time (--timeout, --deadline)"),
      504,
      "warning: e1 was not accepted by its target: no response within 10 s (0 ms)",
    ],
  ])("reports a target that fails, and keeps listening (%s)", async (outcome, status, line) => {
    const { nodes } = target(outcome);
    const ran = await listening(
      `${TARGET} -o name`,
      async ({ send }) => {
        await send(update("e1"));
        await send(update("e2"));
      },
      { nodes },
    );
    expect([ran.exitCode, ran.statuses, ran.stdout]).toEqual([0, [status, 200], "e1\ne2\n"]);
    expect(ran.stderr).toContain(`${line}\n`);
    expect(ran.stderr).toContain("  forwarded  1 accepted, 1 failed\n");
  });

  test("forwards a repeat only until the target has accepted the event", async () => {
    const { requests, nodes } = target(500, 204);
    const ran = await listening(
      `${TARGET} -o name`,
      async ({ send }) => {
        for (let attempt = 0; attempt < 4; attempt++) await send(update("e1"));
      },
      { nodes },
    );
    expect([ran.statuses, requests.length, ran.stdout]).toEqual([[500, 204, 204, 204], 2, "e1\n"]);
  });

  test("forwards one of two deliveries of an event that arrive at the same time", async () => {
    const { requests, nodes } = target(201);
    const ran = await listening(TARGET, ({ send }) => Promise.all([send(update("e1")), send(update("e1"))]), { nodes });
    expect([ran.statuses, requests.length]).toEqual([[201, 201], 1]);
  });

  test("forwards nothing that is refused, and everything that is only filtered out", async () => {
    const { requests, nodes } = target();
    const ran = await listening(
      `${TARGET} --signing-key-file new.key --where status=failed`,
      async ({ send }) => {
        await send(update("e1"));
        await send(update("e2"), signed(update("e2")));
      },
      { nodes },
    );
    expect([ran.statuses, requests.length, ran.stdout]).toEqual([[401, 200], 1, ""]);
  });

  test("has a bounded number of deliveries in flight", async () => {
    let [inFlight, most, done] = [0, 0, 0];
    const slow: Transport = async () => {
      most = Math.max(most, ++inFlight);
      await new Promise(setImmediate);
      inFlight--;
      done++;
      return { status: 200, headers: {}, body: new Uint8Array() };
    };
    await listening(
      TARGET,
      ({ send }) => Promise.all(Array.from({ length: 100 }, (_, index) => send(update(`e${index}`)))),
      { nodes: { [ORIGIN]: slow } },
    );
    expect([most, done]).toEqual([16, 100]);
  });

  test.each(["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]", "LOCALHOST"])(
    "rejects forwarding to itself as %s, also if the port is known only later",
    async (host) => {
      const forward = `--forward http://${host}:${PORT}/hooks`;
      for (const port of [`--port ${PORT}`, ""]) {
        const ran = await listening(`${port} ${forward}`, async () => {});
        expect(ran.exitCode).toBe(2);
        expect(ran.stderr).toContain("is the address that this command listens on; specify another port");
      }
    },
  );
});

describe("expectations", () => {
  const TWO = async ({ send }: Sender) => {
    await send(update("e1", { status: "submitted" }));
    await send(update("e2", { status: "confirmed" }, 1));
  };

  test("prints only what matches --where, by short forms and whole paths", async () => {
    expect((await listening("-o name --where status=confirmed", TWO)).stdout).toBe("e2\n");
    expect((await listening("-o name --where payload.status=submitted", TWO)).stdout).toBe("e1\n");
    const both =
      "-o name --where status=confirmed,submitted --where delivery.signature=unsigned --where relayer_id~eth";
    expect((await listening(both, TWO)).stdout).toBe("e1\ne2\n");
  });

  test.each([
    ["--where", "e2\n"],
    ["--expect", "e0\ne1\ne2\n"],
  ])("an event whose field is true or false does not match %s with a word", async (flag, printed) => {
    const ran = await listening(`-o name ${flag} status=confirmed`, async (sender) => {
      await sender.send(update("e0", { status: true }));
      await TWO(sender);
    });
    expect([ran.exitCode, ran.stdout, ran.statuses]).toEqual([0, printed, [200, 200, 200]]);
  });

  test("ends with 0 once each expectation was met, and prints what met them, filtered out or not", async () => {
    const ended: boolean[] = [];
    const ran = await listening(
      "-o name --where status=failed --expect status=submitted --expect status=confirmed,mined",
      async ({ send, receiver }) => {
        await send(update("e0", { status: "sent" }));
        await send(update("e1", { status: "submitted" }));
        ended.push(receiver.interrupt.aborted);
        await send(update("e2", { status: "confirmed" }, 1));
        ended.push(receiver.interrupt.aborted);
      },
    );
    expect([ran.exitCode, ran.stdout, ended]).toEqual([0, "e1\ne2\n", [false, true]]);
  });

  test("ends with 15 when the time runs out, and shows what is missing", async () => {
    const clock = steppedClock();
    const ran = await listening(
      "--expect status=confirmed --expect status=submitted --deadline 2m -o name",
      async ({ send, receiver }) => {
        await send(update("e1"));
        await clock.pass(119_999);
        expect(receiver.interrupt.aborted).toBe(false);
        await clock.pass(1);
        expect(receiver.interrupt.aborted).toBe(true);
      },
      { clock },
    );
    expect([ran.exitCode, ran.stdout]).toEqual([15, "e1\n"]);
    expect(ran.stderr).toContain("1 of 2 expected events were not received: status=confirmed\n");
  });

  test("ends with 0 at --deadline if nothing is expected", async () => {
    const clock = steppedClock();
    await exited(
      0,
      listening("--deadline 1m", () => clock.pass(60_000), { clock }),
    );
  });

  test("ends with 130 on Ctrl-C while an event is expected", () =>
    exited(
      130,
      listening("--expect status=confirmed", async ({ interrupt }) => interrupt()),
    ));

  test("an event that is refused meets no expectation", () =>
    exited(15, listening("--signing-key-file new.key --expect status=confirmed", TWO)));

  test("ends after --limit events, and prints no more than that", async () => {
    const ran = await listening("--limit 2 -o name --where status=confirmed", async ({ send, receiver }) => {
      for (const id of ["e1", "e2", "e3", "e4"]) {
        await send(update(id, { status: id === "e1" ? "sent" : "confirmed" }));
        expect(receiver.interrupt.aborted).toBe(id > "e2");
      }
    });
    expect([ran.exitCode, ran.stdout]).toEqual([0, "e2\ne3\n"]);
  });

  test.each(["--limit 1", "--expect status=confirmed"])(
    "with %s, leaves every event after the last one to its sender's next attempt",
    async (flags) => {
      const ids = ["e1", "e2", "e3"];
      const ran = await listening(`${flags} -o name`, ({ send }) =>
        Promise.all(ids.map((id) => send(update(id, { status: "confirmed" })))),
      );
      expect([ran.stdout, ran.statuses.toSorted()]).toEqual(["e1\n", [200, 503, 503]]);
      expect(ran.stderr).toContain("received 1 event;");
    },
  );

  test.each([
    [0, "confirmed"],
    [15, "submitted"],
  ])("ends with %i although the reader of the events has left", async (code, status) => {
    const send = async ({ send }: Sender) => {
      await send(update("e1"));
      await send(update("e2", { status }));
    };
    await exited(code, listening("--expect status=confirmed", send, { stdoutFault: new ClosedPipe() }));
  });
});

describe("the record", () => {
  const FLAGS = "--record deliveries.ndjson --signing-key-file new.key -o name";

  test("records every delivery with its raw bytes, whether it is accepted or not", async () => {
    const appended: [string, string][] = [];
    const body = '{ "id" : "e1" }';
    await listening(
      FLAGS,
      async ({ send }) => {
        await send(body, signed(body));
        await send(body, signed(body));
        await send("{", { "x-signature": "?" });
        await send(body, { origin: "https://evil.example.org" });
      },
      { appended },
    );
    const { deliveries } = readWebhookRecord(appended.map(([, text]) => text).join(""));
    expect(deliveries.map(({ accepted, body }) => [accepted, Buffer.from(body).toString()])).toEqual([
      [true, body],
      [true, body],
      [false, "{"],
    ]);
    expect(deliveries[0]).toMatchObject({
      receivedAt: "2026-11-21T03:12:07.000Z",
      path: "/hook",
      headers: { "content-type": "application/json", ...signed(body) },
    });
  });

  test("warns once if the disk is full, and keeps listening", async () => {
    const appended: [string, string][] = [];
    const ran = await listening(
      FLAGS,
      async ({ send }) => {
        for (const id of ["1", "2", "3", "4"]) await send(update(id), signed(update(id)));
      },
      { appended, room: 1_500 },
    );
    expect([ran.exitCode, ran.stdout, appended.length]).toEqual([0, "1\n2\n3\n4\n", 2]);
    expect(ran.stderr.match(/further deliveries are not recorded/g)).toHaveLength(1);
  });

  test("warns once if the record has reached its limit", async () => {
    const appended: [string, string][] = [["deliveries.ndjson", "x".repeat(100 * 2 ** 20 - 10)]];
    const ran = await listening(FLAGS, ({ send }) => send(update("1"), signed(update("1"))), { appended });
    expect(appended).toHaveLength(1);
    expect(ran.stderr).toContain("warning: deliveries.ndjson is full (100 MiB); further deliveries are not recorded\n");
  });
});

describe("the terminal", () => {
  const TERMINAL = { stdoutTerminal: true, columns: 80, env: { NO_COLOR: "1", LC_ALL: "C.UTF-8" } };
  const TX = "83620d65-864d-4d12-bc0b-d5ff2aaceab2";
  const LONG_RELAYER = "af095236-f78d-4298-b2b9-c0422af53fe1";

  const drawn = async (script: (sender: Sender) => Promise<unknown>, flags = "--signing-key-file new.key") =>
    (await listening(flags, script, { ...TERMINAL, files: FILES })).stdout;
  const valid = (body: object) => [body, signed(body, NEW)] as const;

  test("draws one line for each event, with a sign, and breaks no ID", async () => {
    const text = await drawn(async ({ send }) => {
      await send(...valid(update("e1")));
      await send(...valid(update("e2", { status: "confirmed", relayer_id: LONG_RELAYER }, 1)));
    });
    expect(text).toBe(
      `03:12:07Z ● submitted  eth-main-1  ${TX}\n03:12:07Z ✓ confirmed  ${LONG_RELAYER}\n            ${TX}\n`,
    );
  });

  test("shows what an event means below it, with the command that compares it with the chain", async () => {
    const lost = { status: "confirmed", is_canceled: true, value: "0", from: "0xa", to: "0xa", data: null };
    expect(await drawn(({ send }) => send(...valid(update("e1", lost))))).toBe(
      `03:12:07Z ✗ confirmed  eth-main-1  ${TX}\n            too late to cancel: the original was mined\n` +
        `            see: relayctl tx get eth-main-1 ${TX} --on-chain\n`,
    );
  });

  test("shows the states of relayers in the words of their status", async () => {
    const relayer = { id: "eth-sepolia", disabled_reason: { type: "NonceSyncFailed" } };
    const event = (type: string, more: object) => ({
      id: type,
      event: "relayer_state_update",
      payload: { payload_type: type, ...more },
    });
    const text = await drawn(async ({ send }) => {
      await send(...valid(event("relayer_disabled", { relayer, disable_reason: "?" })));
      await send(...valid(event("relayer_enabled", { relayer: { id: "eth-sepolia", paused: true }, retry_count: 1 })));
    });
    expect(text).toBe(
      "03:12:07Z ✗ disabled   eth-sepolia\n" +
        "            nonce sync failed: the service tries again by itself, about once a\n            minute\n" +
        "03:12:07Z ✓ enabled    eth-sepolia  after 1 retry; still paused by an operator\n",
    );
  });

  test("marks deliveries that are late, not signed, or signed with one of several keys", async () => {
    const two = "--signing-key-file old.key --signing-key-file new.key";
    const late = async ({ send }: Sender) => {
      await send(...valid(update("e1", { id: "t" }, 1)));
      await send(...valid(update("e2", { id: "t" })));
    };
    expect(await drawn(late, two)).toBe(
      "03:12:07Z ● submitted  eth-main-1  t  key 2\n03:12:07Z ● submitted  eth-main-1  t  late · key 2\n",
    );
    const unsigned = async ({ send }: Sender) => {
      await send(update("e1", { id: "t" }));
      await send(update("e2", { id: "t2" }), { "x-signature": "?" });
    };
    expect(await drawn(unsigned, "")).toBe(
      "03:12:07Z ● submitted  eth-main-1  t  unsigned\n03:12:07Z ● submitted  eth-main-1  t2  unverified\n",
    );
  });

  test("shows the label of a receiver", async () => {
    const to = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
    const ran = await listening("", ({ send }) => send(update("e1", { id: "t", to })), {
      ...TERMINAL,
      config: { version: 1, contexts: {}, labels: { evm: { treasury: to } } },
    });
    expect(ran.stdout).toContain("eth-main-1  t  to @treasury · unsigned\n");
  });

  const HOSTILE = "\u001b]0;x\u0007\u202e\n\t\u001b[2J";

  test.each(["", "-o tsv", "-o ndjson", "-o csv", "-o name"])("escapes hostile text (%s)", async (format) => {
    const event = {
      id: `e${HOSTILE}`,
      event: HOSTILE,
      payload: {
        payload_type: "transaction",
        id: HOSTILE,
        relayer_id: HOSTILE,
        status: HOSTILE,
        status_reason: HOSTILE,
      },
      timestamp: HOSTILE,
    };
    for (const world of [TERMINAL, {}]) {
      const ran = await listening(format, ({ send }) => Promise.all([send(event), send(event)]), {
        ...world,
        isMalformed: true,
      });
      // JSON in a pipe is data, in which only control characters are escaped.
      const isData = format === "-o ndjson" && world !== TERMINAL;
      expect(ran.stdout + ran.stderr).not.toMatch(isData ? /[\u0007\u001b]/ : /[\u0007\u001b\u202e]/);
      expect(ran.stdout.trimEnd().split("\n").length).toBeLessThan(8);
    }
  });

  test.each([
    ["a payload that is none", { id: "1", event: 7, payload: [] }],
    [
      "members of other types",
      { id: "1", event: "transaction_update", payload: { payload_type: "transaction", id: 7 } },
    ],
    [
      "a transaction of nothing but other types",
      { id: "1", payload: { payload_type: "transaction", id: "t", status: {}, value: [], nonce: {}, to: 1, from: 2 } },
    ],
    [
      "a relayer that is none",
      { id: "1", payload: { payload_type: "relayer_disabled", relayer: 7, disable_reason: {} } },
    ],
    ["swaps that are none", { id: "1", payload: { payload_type: "solana_dex", swap_results: [7, null, {}] } }],
    ["an unknown kind", { id: "1", event: "later", payload: { payload_type: "future" } }],
  ])("prints %s in every format", async (_, event) => {
    for (const format of ["", "-o tsv", "-o ndjson"]) {
      const ran = await listening(format, ({ send }) => send(event), { ...TERMINAL, isMalformed: true });
      expect([ran.exitCode, ran.statuses, ran.stdout !== ""]).toEqual([0, [200], true]);
    }
  });

  test("shows on a terminal when the last delivery was received, while it waits", async () => {
    const clock = steppedClock();
    const script = async ({ send }: Sender) => {
      await clock.pass(2_000);
      await send(update("e1"));
      await clock.pass(61_000);
    };
    const ran = await listening("", script, { ...TERMINAL, terminal: true, clock });
    expect(ran.stderr).toContain("waiting for deliveries\r");
    expect(ran.stderr).toContain("waiting for deliveries · 1 event · last delivery 1m ago");
  });
});
