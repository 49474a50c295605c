import { answer, appliedOrNot, type Fault, FIN, HANG, once, RST, send, sendReply } from "../fault.ts";

const HTML = "<!doctype html><html><body>Please log in</body></html>";
const DEEP = `{"success":true,"data":${"[".repeat(1_000_000)}`;
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/** A success of which the body cannot be read: it is accepted, and its details are unknown. */
const CUT: Fault[] = [
  { name: "200, body cut by a close", steps: [answer({ keep: 20 }), FIN] },
  { name: "200, body cut by a reset", steps: [answer({ keep: -1 }), RST] },
  { name: "200, chunks cut", steps: [answer({ encoding: "chunked", keep: -7 }), FIN] },
  { name: "200 until the close, body cut", steps: [answer({ encoding: "until close", keep: -2 })] },
  { name: "200, only headers", steps: [send(`${HEAD}content-length: 100\r\n\r\n`), FIN] },
  { name: "200, a bad chunk", steps: [send(`${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n{}`), FIN] },
  { name: "200 compressed", steps: [answer({ encoding: "gzip" })] },
  {
    name: "200, larger than is announced to be read",
    steps: [send(`${HEAD}content-length: 99999999999\r\n\r\n{`), FIN],
  },
].map((fault) => ({ ...fault, row: "unreadable", code: 9 }) as Fault);

const SLOW: Fault[] = [
  { name: "200, body that never ends", steps: [send(`${HEAD}content-length: 100\r\n\r\n{`), HANG] },
  {
    name: "200, body that drips",
    steps: [send(`${HEAD}content-length: 100000\r\n\r\n`), { do: "drip", text: " ", every: 20 }],
  },
].map((fault) => ({ ...fault, row: "unreadable", code: 10, slow: true }) as Fault);

/** The page of a gateway, at which users sign in. */
const SIGN_IN: Fault[] = [
  { name: "200 HTML", steps: [sendReply(200, HTML, { "content-type": "text/html" })] },
  { name: "200 HTML said to be JSON", steps: [sendReply(200, HTML, { "content-type": "application/json" })] },
].map((fault) => ({ ...fault, row: "unreadable", code: 4 }) as Fault);

/** Complete responses without meaning. */
const STRANGE: Fault[] = [
  { name: "200 text", steps: [sendReply(200, "OK", { "content-type": "text/plain" })] },
  { name: "200 without a body", steps: [sendReply(200, "")] },
  { name: "204", steps: [send("HTTP/1.1 204 No Content\r\n\r\n")] },
  { name: "200 null", steps: [sendReply(200, "null")] },
  { name: "200 []", steps: [sendReply(200, "[]")] },
  { name: "200 a number", steps: [sendReply(200, "1")] },
  { name: "200 without success", steps: [sendReply(200, '{"data":{"id":"evm-1"}}')] },
  { name: "200 with success as a text", steps: [sendReply(200, '{"success":"true","data":{}}')] },
  { name: "200 with null data", steps: [sendReply(200, '{"success":true,"data":null,"error":null}')] },
  { name: "200 with data of another shape", steps: [sendReply(200, '{"success":true,"data":"done","error":null}')] },
  { name: "200 without an id", steps: [sendReply(200, '{"success":true,"data":{"name":"x"},"error":null}')] },
  { name: "200 with a byte order mark", steps: [answer({ before: "\ufeff" })] },
  { name: "200 in UTF-16", steps: [answer({ encoding: "utf-16" })] },
  { name: "200 with NUL", steps: [answer({ before: "\0" })] },
  {
    name: "200 that is not UTF-8",
    steps: [sendReply(200, Buffer.from('{"success":true,"data":{"id":"\xff\xfe"}}', "latin1"))],
  },
  {
    name: "200 with a member twice",
    steps: [sendReply(200, '{"success":true,"success":false,"data":{"id":"evm-1"}}')],
  },
  { name: "200 with a lone surrogate", steps: [sendReply(200, '{"success":true,"data":{"id":"\\ud800"}}')] },
  { name: "200 a million levels deep", steps: [sendReply(200, DEEP)] },
  { name: "200 with something after it", steps: [answer({ after: "{}" })] },
].map((fault) => ({ ...fault, row: "unreadable", code: 9 }) as Fault);

const JSON_REPLIES = [
  "null",
  "[]",
  "a number",
  "without success",
  "success as a text",
  "another shape",
  "without an id",
];

const strange = [...SIGN_IN, ...STRANGE].map((fault): Fault => {
  const isJson = JSON_REPLIES.some((part) => fault.name.includes(part));
  return { ...fault, validated: isJson ? "by its shape" : "by anyone" };
});
const untilClose = CUT.map(
  (fault): Fault => (fault.name.includes("until the close") ? { ...fault, validated: "by anyone" } : fault),
);

const all = [...untilClose, ...SLOW, ...strange];

export const unreadable: readonly Fault[] = [
  ...all.flatMap(appliedOrNot),
  ...[CUT[0], strange[0]]
    .filter((fault) => fault !== undefined)
    .flatMap(appliedOrNot)
    .map(once),
];
