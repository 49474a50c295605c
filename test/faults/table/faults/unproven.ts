import { reply } from "../../../helpers/service/reply.ts";
import { rawReply } from "../../server/reply.ts";
import type { Step } from "../../server/script.ts";
import { answer, appliedOrNot, type Fault, FIN, READ, send, sendReply } from "../fault.ts";
import { REFUSALS_OF_OTHERS } from "./left-over.ts";

const SERVER = 9;
const NETWORK = 10;
const FAILURE = '{"success":false,"data":null,"error":"Bad Request"}';
const REFUSED = rawReply(reply(400, FAILURE));
const WITHOUT_BODY = "content-length: 0\r\n\r\n";

/** The rest of a refusal after its status line. */
const REST = ` 400 Words\r\ncontent-length: ${FAILURE.length}\r\n\r\n${FAILURE}`;

/** What looks like a refusal and proves nothing, by kind. Each is met by writes; by reads too where every library sees it alike. */
const lostBy = (code: number, faults: readonly (readonly [string, readonly Step[]])[]): Fault[] =>
  faults.flatMap(([name, steps]) => appliedOrNot({ name, row: "lost", code, steps }));

const forWrites = (faults: readonly Fault[]): Fault[] => faults.map((fault) => ({ ...fault, only: "writes" }));

/** Neither a success, nor a refusal, nor the service's own failure (promises 4.3). */
const STATUSES = [0, 7, 42, 99, 300, 304, 305, 306, 309, 399, 600, 666, 700, 999];

const statuses = STATUSES.flatMap((status) => {
  const name = String(status).padStart(3, "0");
  const faults = lostBy(SERVER, [
    [`status ${name}`, [sendReply(status, FAILURE)]],
    [`status ${name} without a body`, [send(`HTTP/1.1 ${name} Words\r\n${WITHOUT_BODY}`), FIN]],
  ]);
  return status >= 300 && status <= 399 ? forWrites(faults) : faults;
});

const digits = lostBy(
  SERVER,
  ["40", "4000", " 400", "4OO", "-400", "+40"].map((status) => [
    `status "${status}"`,
    [send(`HTTP/1.1 ${status} Words\r\n${WITHOUT_BODY}`), FIN],
  ]),
);

const PROTOCOLS = ["RTSP/1.0", "ICE/1.0", "SIP/2.0", "HTTP/0.9", "HTTP/1.2", "HTTP/2.0", "HTTP/3", "http/1.1"];

const protocols = PROTOCOLS.flatMap((protocol) => [
  ...lostBy(SERVER, [
    [`a refusal over ${protocol}`, [send(protocol + REST)]],
    [`a success over ${protocol}`, [send(`${protocol} 200 OK\r\n${WITHOUT_BODY}`)]],
  ]),
]);

const SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";

/** Interim responses that are not for this request, then nothing, a refusal, or the real response. */
const interim = [
  ["101", "HTTP/1.1 101 Words\r\n\r\n"],
  ["101 with an upgrade", SWITCHING],
  ["100", "HTTP/1.1 100 Continue\r\n\r\n"],
  ["104", "HTTP/1.1 104 Words\r\n\r\n"],
  ["199", "HTTP/1.1 199 Words\r\n\r\n"],
  ["000", "HTTP/1.1 000 Words\r\n\r\n"],
  ["099", "HTTP/1.1 099 Words\r\n\r\n"],
].flatMap(([name = "", text = ""]) => [
  ...lostBy(SERVER, [
    [`${name} and a close`, [send(text), FIN]],
    [`${name} and a refusal`, [send(text + REFUSED)]],
  ]),
  ...forWrites(lostBy(SERVER, [[`${name} and the real response`, [answer({ ahead: text })]]])),
]);

/** A refusal from elsewhere, and the service's own response after it. */
const leftOver = forWrites(
  REFUSALS_OF_OTHERS.flatMap(([name, text]) => [
    { name: `${name} in one piece with the real response`, steps: [READ, answer({ ahead: text })] },
    { name: `${name} before the request is read, then the real response`, steps: [send(text), READ, answer({})] },
    {
      name: `a refusal of what was applied in one piece with ${name}`,
      steps: [READ, answer({ status: 400, behind: text })],
    },
  ]).map((fault) => ({ ...fault, row: "lost", code: SERVER })),
);

const HEADS = [
  ["two lengths", `content-length: ${FAILURE.length}\r\ncontent-length: ${FAILURE.length}\r\n\r\n${FAILURE}`],
  ["a length beside chunks", `content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["an unknown coding", "transfer-encoding: xchunked\r\n\r\n0\r\n\r\n"],
  ["a chunk extension", "transfer-encoding: chunked\r\n\r\n0;x=y\r\n\r\n"],
  ["a folded line", `x: a\r\n b\r\n${WITHOUT_BODY}`],
  ["a bare line feed", `x: a\n${WITHOUT_BODY}`],
  ["a bare carriage return", `x: a\rb: c\r\n${WITHOUT_BODY}`],
  ["NUL", `x: a\0b\r\n${WITHOUT_BODY}`],
  ["a space before the colon", "content-length : 0\r\n\r\n"],
  ["more than its length", "content-length: 0\r\n\r\nno"],
] as const;

const malformed = forWrites(
  lostBy(
    SERVER,
    HEADS.map(([name, rest]) => [`a refusal with ${name}`, [send(`HTTP/1.1 400 Words\r\n${rest}`), FIN]]),
  ),
);

/** Said to each connection before a request came over it; then the service responds as always. */
const greetings: Fault[] = [
  ["400", REFUSED],
  ["a success", rawReply(reply(200, '{"success":true,"data":null,"error":null}'))],
  ["half a refusal", "HTTP/1.1 400 Words\r\ncontent-le"],
  ["garbage", "SSH-2.0-OpenSSH_9.6\r\n"],
].map(([name, greeting = ""]) => ({
  name: `${name} before the request`,
  row: "lost",
  code: NETWORK,
  greeting,
  steps: [READ, answer({})],
  only: "writes",
}));

/** By kind, so that a sample has some of each. */
export const unproven: readonly (readonly Fault[])[] = [
  statuses,
  digits,
  protocols,
  interim,
  leftOver,
  malformed,
  greetings,
];
