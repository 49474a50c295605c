import { reply } from "../../../helpers/service/reply.ts";
import { rawReply } from "../../server/reply.ts";
import { APPLY, answer, appliedOrNot, type Fault, FIN, HANG, once, READ, RST, send, sendReply } from "../fault.ts";

const NETWORK = 10;
const SERVER = 9;
const ENVELOPE = '{"success":false,"data":null,"error":"Internal Server Error"}';
const HTML = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";
const MANY_HEADERS = Array.from({ length: 10_000 }, (_, number) => `x-${number}: 1\r\n`).join("");

/** The request left and nothing that can be trusted came back. */
const BROKEN: Fault[] = [
  { name: "reset", code: NETWORK, steps: [RST] },
  { name: "closed", code: NETWORK, steps: [FIN] },
  { name: "closed in the status line", code: NETWORK, steps: [send("HTTP/1.1 20"), FIN] },
  { name: "closed in the headers", code: NETWORK, steps: [send("HTTP/1.1 200 OK\r\ncontent-ty"), FIN] },
  { name: "garbage instead of HTTP", code: SERVER, steps: [send("SSH-2.0-OpenSSH_9.6\r\n"), FIN] },
  { name: "an unasked 100 Continue", code: SERVER, steps: [send("HTTP/1.1 100 Continue\r\n\r\n"), FIN] },
  {
    name: "two content-lengths",
    code: SERVER,
    steps: [send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}"), FIN],
  },
  {
    name: "content-length beside chunked",
    code: SERVER,
    steps: [send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"), FIN],
  },
  { name: "10,000 headers", code: SERVER, steps: [send(`HTTP/1.1 200 OK\r\n${MANY_HEADERS}\r\n`), FIN] },
  {
    name: "a header of 64 KiB",
    code: SERVER,
    steps: [send(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(65_536)}\r\n\r\n`), FIN],
  },
  {
    name: "a refusal that is cut",
    code: SERVER,
    steps: [send("HTTP/1.1 400 Words\r\ncontent-length: 90\r\n\r\n{"), FIN],
  },
  { name: "a 429 that is cut", code: SERVER, steps: [send("HTTP/1.1 429 Words\r\ncontent-length: 90\r\n\r\n{"), RST] },
].map((fault) => ({ ...fault, row: "lost" }));

const SLOW: Fault[] = [
  { name: "no answer", code: NETWORK, steps: [HANG] },
  { name: "a head that drips", code: NETWORK, steps: [{ do: "drip", text: "HTTP/1.1 200 OK\r\nx: y\r\n", every: 20 }] },
  {
    name: "a refusal of which the end never comes",
    code: NETWORK,
    steps: [send("HTTP/1.1 400 Words\r\ncontent-length: 90\r\n\r\n{"), HANG],
  },
].map((fault) => ({ ...fault, row: "lost", slow: true }) as Fault);

/** A status that says nothing about what was done. */
const STATUSES: Fault[] = [
  { name: "500 with an envelope", code: SERVER, steps: [sendReply(500, ENVELOPE)] },
  { name: "500 without a body", code: SERVER, steps: [sendReply(500, "")] },
  { name: "501 without an envelope", code: SERVER, steps: [sendReply(501, "Not Implemented")] },
  { name: "502 HTML", code: SERVER, steps: [sendReply(502, HTML, { "content-type": "text/html" })] },
  { name: "503 with Retry-After", code: SERVER, steps: [sendReply(503, "", { "retry-after": "0" })] },
  {
    name: "504 text",
    code: SERVER,
    steps: [sendReply(504, "Request handler timeout", { "content-type": "text/plain" })],
  },
  { name: "520", code: SERVER, steps: [sendReply(520, "web server returned an unknown error")] },
  { name: "599", code: SERVER, steps: [sendReply(599, ENVELOPE)] },
  { name: "999", code: SERVER, steps: [sendReply(999, ENVELOPE)] },
  { name: "408", code: NETWORK, steps: [sendReply(408, "")] },
  { name: "the service's own reply as 500", code: SERVER, steps: [answer({ status: 500 })], only: "writes" },
].map((fault) => ({ ...fault, row: "lost" }) as Fault);

/** Applied when the client has given up, at its next question, or after it has ended. */
const LATE: Fault[] = (["gone", "asked again", "end"] as const)
  .flatMap((until) => [
    {
      name: `applied late (${until}) after no answer`,
      steps: [READ, { do: "wait", until }, APPLY] as const,
      slow: true as const,
    },
    {
      name: `applied late (${until}) after 500`,
      steps: [READ, sendReply(500, ENVELOPE), { do: "wait", until }, APPLY] as const,
    },
  ])
  .map((fault) => ({ ...fault, row: "lost", code: NETWORK, only: "writes" }));

const WRITES_ONLY: Fault[] = [
  { name: "303", steps: [sendReply(303, "", { location: "/elsewhere" })] },
  {
    name: "200 with a failure and no reason",
    steps: [sendReply(200, '{"success":false,"data":null,"error":"It did not work"}')],
  },
  { name: "200 with Internal Server Error", steps: [sendReply(200, ENVELOPE)] },
].map((fault) => ({ ...fault, row: "lost", code: SERVER, only: "writes" }));

const ACCEPTED: Fault[] = [
  { name: "accepted and closed", steps: [FIN] },
  { name: "accepted and reset", steps: [RST] },
].map((fault) => ({ ...fault, row: "lost", code: NETWORK, onAccept: true }));

const PARTLY_READ: Fault[] = [
  { name: "reset before the body is read", steps: [{ do: "read", bytes: 1 }, RST] as const },
  { name: "a 500 before the body is read", steps: [send(rawReply(reply(500, ENVELOPE))), FIN] as const },
].map((fault) => ({ ...fault, row: "lost", code: NETWORK, only: "writes" }));

const ALWAYS = [...BROKEN, ...SLOW, ...STATUSES].flatMap(appliedOrNot);

export const lost: readonly Fault[] = [
  ...ALWAYS,
  ...WRITES_ONLY.flatMap(appliedOrNot),
  ...LATE,
  ...ACCEPTED,
  ...PARTLY_READ,
  ...[BROKEN[0], SLOW[0], STATUSES[0]]
    .filter((fault) => fault !== undefined)
    .flatMap(appliedOrNot)
    .map(once),
];
