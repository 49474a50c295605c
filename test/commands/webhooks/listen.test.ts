import { FILES, listening, NEW, OLD, PORT, type Sender, signed, update } from "./listening.ts";

const TX = "83620d65-864d-4d12-bc0b-d5ff2aaceab2";
const LOST_RACE = { status: "confirmed", is_canceled: true, value: "0", from: "0xa", to: "0xa", data: null };

test("prints a row for each event, with what it means, in order of arrival", async () => {
  const ran = await listening("", async ({ send }) => {
    await send(update("e1"));
    await send(update("e2", LOST_RACE, 1));
  });
  expect([ran.exitCode, ran.statuses, ran.requests]).toEqual([0, [200, 200], []]);
  const row = (id: string, status: string, second: string, meaning: string) =>
    `2026-11-21T03:12:07.000Z\ttransaction_update\t${id}\teth-main-1\t${TX}\t${status}\tfalse\tunsigned\t\t2026-11-21T03:12:0${second}.000000001+00:00\t${meaning}\n`;
  expect(ran.stdout).toBe(
    row("e1", "submitted", "0", "submitted") +
      row("e2", "confirmed", "1", "confirmed · too late to cancel: the original was mined"),
  );
});

test("prints where it listens, and the command that creates the notification", async () => {
  const ran = await listening("--port 9 --signing-key-file new.key -c prod", async () => {});
  expect(ran.stderr).toContain("listening on http://127.0.0.1:9, on this machine only; press Ctrl-C to stop\n");
  expect(ran.stderr).toContain(
    "next: relayctl -c prod notifications create --url http://127.0.0.1:9 --signing-key-file new.key\n",
  );
  expect(ran.stderr).not.toContain(NEW);
  const unsigned = await listening("", async () => {});
  expect(unsigned.stderr).toContain("note: no --signing-key-file: signatures are not verified\n");
  expect(unsigned.stderr).toContain(`next: relayctl notifications create --url http://127.0.0.1:${PORT}\n`);
});

test("prints the event as received as NDJSON, with a last member for what is added", async () => {
  const body =
    '{"7":1.0,"id":"e1","event":"transaction_update","payload":{"payload_type":"transaction","id":"t","value":12345678901234567890,"status":"mined"},"timestamp":"2026-11-21T03:12:00Z"}';
  const ran = await listening("-o ndjson --signing-key-file new.key --signing-key-file old.key", ({ send }) =>
    send(body, signed(body, OLD)),
  );
  expect(ran.stdout).toBe(
    `${body.slice(0, -1)},"delivery":{"received_at":"2026-11-21T03:12:07.000Z","signature":"valid","key":2,"late":false,"meaning":"mined"}}\n`,
  );
});

test("selects columns, with short forms of the payload's members, and a header if requested", async () => {
  const ran = await listening("--headers --fields status,relayer_id,payload.nonce,late", ({ send }) =>
    send(update("e1", { nonce: 7 })),
  );
  expect(ran.stdout).toBe("status\trelayer_id\tpayload.nonce\tlate\nsubmitted\teth-main-1\t7\tfalse\n");
});

test("draws no more than the start of an ID that is too long for any service", async () => {
  for (const member of ["id", "relayer_id", "status"]) {
    const ran = await listening("-o table", ({ send }) => send(update("e1", { [member]: "x".repeat(1_000_000) })));
    expect(ran.stdout.length).toBeLessThan(2_000);
  }
});

test("reports nothing that is cut at the end, after the summary", async () => {
  const ran = await listening("", async ({ receiver, interrupt }) => {
    receiver.lost("cut");
    interrupt();
    for (let count = 0; count < 100; count++) receiver.lost("cut");
  });
  expect(ran.stderr.match(/refused: cut/g)).toHaveLength(1);
  expect(ran.stderr).toContain("received 0 events; 0 repeats, 1 refused\n");
});

describe("metrics", () => {
  const scrape = (sender: Sender, host = "127.0.0.1:8787") =>
    sender.send("", {}, { method: "GET", target: "/metrics", headers: { host } });

  test("have the time of the last event of each relayer, and do not count as deliveries", async () => {
    const texts: string[] = [];
    const ran = await listening("", async (sender) => {
      texts.push((await scrape(sender)).text);
      await sender.send(update("e1"));
      await sender.send({ id: "e2", event: "other", payload: {} });
      await sender.send(update("e3", { relayer_id: "x".repeat(257) }));
      await sender.send(update("e4", { relayer_id: 'a"b\n' }));
      texts.push((await scrape(sender)).text);
    });
    const time = Date.parse("2026-11-21T03:12:07Z") / 1_000;
    const name = "relayctl_webhook_last_delivery_timestamp_seconds";
    expect(texts[0]).toBe("");
    expect(texts[1]?.split("\n").slice(2)).toEqual([
      `${name}{relayer="eth-main-1"} ${time}`,
      `${name}{relayer="a\\"b\\n"} ${time}`,
      "",
    ]);
    expect(ran.stderr).toContain("received 4 events; 0 repeats, 0 refused\n");
  });

  test.each([
    ["--public", "127.0.0.1:8787"],
    ["", "evil.example:8787"],
    ["", "192.0.2.1"],
  ])("are not served to others: %s %s", async (flags, host) => {
    const ran = await listening(flags, (sender) => scrape(sender, host));
    expect(ran.statuses).toEqual([405]);
  });
});

test("drops repeats, accepts and counts them", async () => {
  const ran = await listening("-o name", async ({ send }) => {
    await send(update("e1"));
    await send(update("e1"));
    await send(update("e2"));
    await send(update("e1"));
  });
  expect([ran.statuses, ran.stdout]).toEqual([[200, 200, 200, 200], "e1\ne2\n"]);
  expect(ran.stderr).toContain("repeat of e1, delivery 3\n");
  expect(ran.stderr).toContain("received 2 events; 2 repeats, 0 refused\n");
});

test("marks events that arrive after a newer one of the same transaction or relayer", async () => {
  const relayer = (id: string, event: string, second: number) => ({
    id,
    event: "relayer_state_update",
    payload: { payload_type: event, relayer: { id: "r1" } },
    timestamp: `2026-11-21T03:12:0${second}Z`,
  });
  const ran = await listening("--fields id,delivery.late", async ({ send }) => {
    await send(update("newer", { status: "confirmed" }, 5));
    await send(update("older", { status: "mined" }, 4));
    await send(update("same time, lower status", { status: "sent" }, 5));
    await send(update("other transaction", { id: "other" }, 1));
    await send(update("newest", { status: "submitted" }, 6));
    await send(relayer("enabled", "relayer_enabled", 3));
    await send(relayer("disabled before", "relayer_disabled", 2));
  });
  expect(ran.stdout).toBe(
    "newer\tfalse\nolder\ttrue\nsame time, lower status\ttrue\nother transaction\tfalse\nnewest\tfalse\nenabled\tfalse\ndisabled before\ttrue\n",
  );
  expect(ran.stderr).toContain("received 7 events, 3 late; 0 repeats, 0 refused\n");
});

describe("with signing keys", () => {
  const KEYS = "--signing-key-file new.key --signing-key-file old.key";

  test("refuses what is not signed with one of them, and prints why", async () => {
    const ran = await listening(`${KEYS} -o name`, async ({ send }) => {
      await send(update("none"));
      await send(update("other key"), signed(update("other key"), "x".repeat(32)));
      await send(update("other body"), signed(update("another body")));
      await send(update("hex"), { "x-signature": "ab".repeat(32) });
      await send(update("valid"), signed(update("valid"), OLD));
    });
    expect([ran.statuses, ran.stdout]).toEqual([[401, 401, 401, 401, 200], "valid\n"]);
    for (const reason of ["no signature", "wrong signature", "malformed signature"])
      expect(ran.stderr).toContain(`refused with 401: ${reason}\n`);
    expect(ran.stderr).toContain("  refused    1 no signature, 2 wrong signature, 1 malformed signature\n");
    expect(ran.replies[0]?.text).toBe("no signature\n");
  });

  test("reports which key was last used when, so that the old one can be removed", async () => {
    let now = Date.parse("2026-11-21T03:12:07Z");
    const clock = { now: () => now, elapsed: () => now, sleep: async () => {} };
    const deliveries = [OLD, NEW, NEW].map((key, index) => ({ body: update(String(index)), key }));
    const script = async ({ send }: Sender) => {
      for (const { body, key } of deliveries) {
        await send(body, signed(body, key));
        now += 90_000;
      }
    };
    const ran = await listening(KEYS, script, { clock });
    expect(ran.stderr).toContain("  key 1      new.key: 2 deliveries, the last one 1 minute ago\n");
    expect(ran.stderr).toContain("  key 2      old.key: 1 delivery, the last one 4 minutes ago\n");
  });

  test("verifies the signature before it reads the body", async () => {
    const ran = await listening(KEYS, async ({ send }) => {
      await send("{");
      await send("{", signed("{"));
    });
    expect(ran.statuses).toEqual([401, 400]);
  });

  test.each([
    ["--signing-key-file short.key", "--signing-key-file short.key: needs 32 bytes or more"],
    ["--signing-key-file empty.key", "the file is empty"],
    ["--signing-key-file new.key --signing-key-file same.key", "contains the same key as another file"],
    ["--signing-key-file missing.key", "it does not exist"],
  ])("rejects %s", async (flags, words) => {
    const ran = await listening(flags, async () => {}, { files: { ...FILES, "same.key": NEW } });
    expect([ran.exitCode, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain(words);
    expect(ran.stderr).not.toContain("listening");
  });
});

describe("refuses", () => {
  test.each([
    ["another method", 405, {}, { method: "GET" }, "method GET"],
    ["a page in a browser", 403, { origin: "https://evil.example.org" }, {}, "from a web page"],
    ["a compressed body", 415, { "content-encoding": "gzip" }, {}, "compressed body"],
  ])("%s by its head", async (_, status, headers, head, reason) => {
    const ran = await listening("", ({ send }) => send(update("e1"), headers, head));
    expect([ran.statuses, ran.stdout]).toEqual([[status], ""]);
    expect(ran.stderr).toContain(`refused: ${reason}\n`);
    expect(ran.stderr).toContain(`  refused    1 ${reason}\n`);
  });

  test.each([
    ["what is not JSON", "{", "not a JSON object"],
    ["what is not an object", '["id"]', "not a JSON object"],
    ["what is not UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "not a JSON object"],
    ["a duplicate member", '{"id":"1","id":"2"}', "not a JSON object"],
    ["deep nesting", `{"id":"1","payload":${"[".repeat(1_000)}${"]".repeat(1_000)}}`, "not a JSON object"],
    ["an event without an ID", "{}", "no event ID"],
    ["an empty ID", '{"id":""}', "no event ID"],
    ["an ID that is a number", '{"id":7}', "no event ID"],
    ["an ID that is too long to be remembered", `{"id":"${"x".repeat(257)}"}`, "no event ID"],
  ])("%s", async (_, body, reason) => {
    const ran = await listening("", ({ send }) => send(body));
    expect([ran.statuses, ran.stdout]).toEqual([[400], ""]);
    expect(ran.stderr).toContain(`refused with 400: ${reason}\n`);
  });

  test("events outside of the tolerance, if there is one", async () => {
    const at = (time: string) => ({ id: time, timestamp: time });
    const script = async ({ send }: Sender) => {
      await send(at("2026-11-21T03:11:07Z"));
      await send(at("2026-11-21T03:11:06.9Z"));
      await send(at("2026-11-21T03:13:07Z"));
      await send(at("2026-11-21T03:13:08+00:00"));
      await send(at("yesterday"));
    };
    const strict = await listening("--tolerance 1m", script);
    expect(strict.statuses).toEqual([200, 401, 200, 401, 401]);
    expect(strict.stderr).toContain("  refused    1 too old, 1 from the future, 1 no timestamp\n");
    expect((await listening("", script)).statuses).toEqual([200, 200, 200, 200, 200]);
  });

  test("any number of times, with a bounded number of lines", async () => {
    const ran = await listening("--signing-key-file new.key", async ({ send, receiver }) => {
      for (let sent = 0; sent < 5_000; sent++) await send("{}", { "x-signature": "wrong" });
      for (let lost = 0; lost < 5_000; lost++) receiver.lost("too large");
    });
    expect(ran.stderr.split("\n").length).toBeLessThan(25);
    expect(ran.stderr).toContain("5,000 × too large");
    expect(ran.stderr).toContain("  refused    5,000 malformed signature, 5,000 too large\n");
  });
});

test("accepts other content types, and reports each once", async () => {
  const ran = await listening("", async ({ send }) => {
    for (const id of ["1", "2", "3"]) await send({ id }, { "content-type": "text/plain" });
    await send({ id: "4" }, { "content-type": "application/json; charset=utf-8" });
  });
  expect(ran.statuses).toEqual([200, 200, 200, 200]);
  expect(ran.stderr.match(/content type/g)).toHaveLength(1);
  expect(ran.stderr).toContain("note: content type text/plain, not application/json\n");
});

test("warns about --public, and more without a key", async () => {
  const open = await listening("--public", async ({ receiver }) => expect(receiver.isPublic).toBe(true));
  expect(open.stderr).toContain("warning: any machine that reaches this port can send events");
  expect(open.stderr).toContain(`--url http://HOST:${PORT}`);
  const keyed = await listening("--public --signing-key-file new.key", async () => {});
  expect(keyed.stderr).toContain("warning: other machines can send deliveries to this port; only signed ones");
});

test("responds as requested, so that retries can be seen", async () => {
  const slept: number[] = [];
  const ran = await listening("--respond 500 --delay 5s", ({ send }) => send(update("e1")), {
    clock: {
      now: () => 0,
      elapsed: () => 0,
      sleep: async (milliseconds) => void slept.push(milliseconds),
    },
  });
  expect([ran.statuses, slept.includes(5_000)]).toEqual([[500], true]);
  expect(ran.stdout).not.toBe("");
});

test.each([
  ["-o json", "an endless stream of events needs one of table, tsv, csv, ndjson, name"],
  ["--port 65536", "a whole number from 0 to 65535"],
  ["--limit 0", "a whole number from 1"],
  ["--respond 99", "a whole number from 200 to 599"],
  ["--tolerance 5", "needs a unit"],
  ["--where nonsense=1", "unknown field of a webhook event"],
  ["--expect statsu=confirmed", "unknown field of a webhook event"],
  ["--expect '=1'", "needs field, !field or field OP value"],
  ["--query id", "events have no end; use --where"],
  ["--forward ftp://x", "must be an HTTP URL"],
  ["--forward http://user:secret@localhost", "cannot contain a user name or password"],
  ["--record -", "needs a file name"],
  ["--demo", "not supported"],
])("rejects %s before it listens", async (flags, words) => {
  const ran = await listening(flags, async () => {});
  expect([ran.exitCode, ran.stdout]).toEqual([2, ""]);
  expect(ran.stderr).toContain(words);
  expect(ran.stderr).not.toContain("secret");
  expect(ran.stderr.match(/unknown field/g)?.length ?? 1).toBe(1);
});

test("ends with a summary and 0 on Ctrl-C, and as every command on other signals", async () => {
  const ended = async (reason: string) =>
    await listening("", async ({ send, interrupt }) => {
      await send(update("e1"));
      interrupt(reason);
    });
  const [stopped, terminated] = [await ended("interrupted"), await ended("terminated")];
  expect(stopped.exitCode).toBe(0);
  expect(stopped.stderr).toContain("received 1 event; 0 repeats, 0 refused\n  last       0 seconds ago\n");
  expect(terminated.exitCode).toBe(143);
  expect(terminated.stderr).toContain("received 1 event");
});
