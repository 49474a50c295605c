import { chosen, DEEP } from "../../helpers/deep.ts";
import { exited } from "../../helpers/exited.ts";
import { TIMEOUT } from "../../helpers/time-up.ts";
import { openFaultServer } from "../server/fault-server.ts";
import { headText } from "../server/reply.ts";
import type { Step } from "../server/script.ts";
import { interfaceDialect } from "../server/service/dialect.ts";
import { createService } from "../server/service/service.ts";
import { type Measured, runBuilt, runMeasured } from "./run-built.ts";

const GIB = 2 ** 30;
const MOST_MIB = 200;
const CHUNKED = headText(200, { "content-type": "application/json", "transfer-encoding": "chunked" });
const COMMANDS: (readonly ["a read" | "a list" | "a write", readonly string[]])[] = [
  ["a read", ["relayers", "get", "evm-1"]],
  ["a list", ["relayers", "list"]],
  ["a write", ["relayers", "pause", "evm-1"]],
];

const service = () => createService({ dialect: interfaceDialect, routes: true });

/** Bounds that a busy machine does not reach. */
const PATIENT = ["--timeout", "1h", "--deadline", "1h"];

async function serverOf(steps: readonly Step[]) {
  const server = await openFaultServer({ service: service(), scripts: [{ match: {}, steps }] });
  onTestFinished(() => server.close());
  return server;
}

async function answered(steps: readonly Step[], ...argv: readonly string[]): Promise<Measured> {
  const { origin } = await serverOf(steps);
  return await runMeasured([...argv, "--retries", "0", ...PATIENT], { origin });
}

function send(text: string): Step {
  return { do: "send", text };
}

describe.each(COMMANDS)("the memory of %s stays under 200 MiB", (name, argv) => {
  const floods: [string, Step[]][] = [
    [
      "a body of 1 GB",
      [send(`${CHUNKED}${GIB.toString(16)}\r\n`), { do: "flood", text: '{"success":true,', bytes: GIB }],
    ],
    [
      "a body of 1 GB that says how long it is",
      [send(headText(200, { "content-length": String(GIB) })), { do: "flood", text: " ", bytes: GIB }],
    ],
    ["1 GB of headers", [send("HTTP/1.1 200 OK\r\n"), { do: "flood", text: "x: y\r\n", bytes: GIB }]],
    [
      "zeros that become 1 GB",
      [
        send(headText(200, { "content-encoding": "gzip", connection: "close" })),
        { do: "gzip bomb", bytes: GIB },
        { do: "fin" },
      ],
    ],
  ];

  /** All three read the same way: each meets another one, and all of them in a deep run. */
  const met = { "a read": floods.slice(2, 3), "a list": floods.slice(0, 1), "a write": floods.slice(-1) };

  test.each(DEEP ? floods : met[name])("with %s", async (_, steps) => {
    const { peak } = await exited(argv[1] === "pause" ? 11 : 9, answered(steps, ...argv));
    expect(peak).toBeLessThan(MOST_MIB);
  });
});

/** A list may hold what a fleet needs, so it is given more; that it ends is what counts. */
const MOST_MIB_OF_A_LIST = 800;

const bodies: readonly (readonly [string, string])[] = [
  ["millions of values", `{"success":true,"data":[${"{},".repeat(2_700_000)}{}]}`],
  ["millions of texts", `{"success":true,"data":[${'"",'.repeat(2_700_000)}""]}`],
  ["millions of lists", `{"success":true,"data":[${"[],".repeat(2_700_000)}[]]}`],
];

test.each(chosen(bodies, 0))("the memory for one resource stays under 200 MiB with %s", async (_, body) => {
  const steps = [send(headText(200, { "content-length": String(body.length) }) + body)];
  const { peak } = await exited(9, answered(steps, "relayers", "get", "evm-1"));
  expect(peak).toBeLessThan(MOST_MIB);
});

const LISTS: readonly (readonly [string, string])[] = [
  ["the smallest values", "{},"],
  ["line breaks", "\n"],
];

test.each(chosen(LISTS, 0))("a list of 60 MiB of %s fails with an error, not with a crash", async (_, text) => {
  const bytes = 60 * 2 ** 20;
  const start = '{"success":true,"data":[';
  const head = headText(200, { "content-length": String(bytes + start.length) });
  const steps: Step[] = [send(head + start), { do: "flood", text, bytes }];
  const { peak } = await exited(9, answered(steps, "relayers", "list"));
  expect(peak).toBeLessThan(MOST_MIB_OF_A_LIST);
});

test.each(chosen(COMMANDS, 2))("%s stops at --timeout if the server sends slowly", async (_, argv) => {
  const server = await serverOf([send(`${CHUNKED}100000\r\n`), { do: "drip", text: " ", every: 200 }]);
  const line = [...argv, "--retries", "0", "--timeout", TIMEOUT];
  await exited(argv[1] === "pause" ? 11 : 10, runBuilt(line, { origin: server.origin, timeUp: server.stalled }));
});
